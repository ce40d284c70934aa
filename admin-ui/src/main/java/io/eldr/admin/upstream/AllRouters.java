package io.eldr.admin.upstream;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.stereotype.Component;

/** Asks all routers the same, at the same time. */
@Component
public class AllRouters {
    private final Upstream upstream;
    private final RouterDirectory directory;

    AllRouters(Upstream upstream, RouterDirectory directory) {
        this.upstream = upstream;
        this.directory = directory;
    }

    /**
     * What one of them said.
     *
     * @param value absent where it has no such thing, and where it failed
     * @param failure why there is no answer
     */
    public record Answer<T>(RouterAddress router, Optional<T> value, Optional<String> failure) {}

    /** One answer for each router that is known. */
    public <T> List<Answer<T>> ask(String path, Class<T> type, Duration timeout) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Answer<T>>> asked = directory.all().stream()
                    .map(router -> CompletableFuture.supplyAsync(() -> ask(router, path, type, timeout), threads))
                    .toList();
            return asked.stream().map(CompletableFuture::join).toList();
        }
    }

    private <T> Answer<T> ask(RouterAddress router, String path, Class<T> type, Duration timeout) {
        try {
            return new Answer<>(
                    router, upstream.find(Addresses.at(router.url(), path), type, timeout), Optional.empty());
        } catch (UpstreamException e) {
            return new Answer<>(router, Optional.empty(), Optional.of(e.reason()));
        }
    }
}
