package io.eldr.admin.live;

import io.eldr.admin.AdminProperties;
import io.eldr.admin.live.CalibrationAnswers.Router;
import io.eldr.admin.upstream.Addresses;
import io.eldr.admin.upstream.RouterAddress;
import io.eldr.admin.upstream.RouterDirectory;
import io.eldr.admin.upstream.Upstream;
import jakarta.annotation.PreDestroy;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Asks all services what is going on and puts it together. */
@Component
final class Gatherer {
    /** Routers without a heartbeat for so long are not shown any more. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(2);

    private final Upstream upstream;
    private final RouterDirectory directory;
    private final AdminProperties.Live settings;
    private final InstantSource clock;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Part<List<Router>> calibration;
    private final Map<RouterAddress, Part<RouterReading>> routers = new LinkedHashMap<>();
    private final Assembly assembly;

    Gatherer(Upstream upstream, RouterDirectory directory, AdminProperties properties, InstantSource clock) {
        this.upstream = upstream;
        this.directory = directory;
        this.settings = properties.live();
        this.clock = clock;
        URI address = properties.calibrationUrl();
        this.calibration = new Part<>("The calibration service", () -> routersAt(address), threads, clock);
        this.assembly = new Assembly(settings.interval());
    }

    /** Asks everybody, waits for at most half an interval, and shows what is known then. */
    LiveState gather(long sequence) {
        follow();
        CompletableFuture<?>[] asked = Stream.concat(
                        Stream.of(calibration.ask()), routers.values().stream().map(Part::ask))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(asked)
                .completeOnTimeout(null, settings.interval().toMillis() / 2, TimeUnit.MILLISECONDS)
                .join();
        Map<RouterAddress, Part.Reading<RouterReading>> readings = new LinkedHashMap<>();
        routers.forEach((router, part) -> readings.put(router, part.last()));
        return assembly.state(sequence, clock.instant(), calibration.last(), readings);
    }

    /** Takes in routers that came and drops those that went. */
    private void follow() {
        Part.Reading<List<Router>> known = calibration.last();
        if (known.failure().isEmpty()) {
            known.value().ifPresent(this::discovered);
        }
        List<RouterAddress> all = directory.all();
        routers.keySet().retainAll(all);
        all.forEach(router -> routers.computeIfAbsent(
                router, _ -> new Part<>("Router " + router.instance(), () -> read(router), threads, clock)));
    }

    private void discovered(List<Router> answers) {
        Instant since = clock.instant().minus(FORGOTTEN);
        // Of a router that restarted, its new instance comes last and counts.
        directory.discovered(answers.stream()
                .filter(router -> router.lastSeen().isAfter(since))
                .sorted(Comparator.comparing(Router::lastSeen))
                .flatMap(router -> router.url().map(url -> new RouterAddress(router.id(), url)).stream())
                .toList());
    }

    private List<Router> routersAt(URI address) {
        return List.of(upstream.read(Addresses.at(address, "/v1/routers"), Router[].class, settings.timeout()));
    }

    private RouterReading read(RouterAddress router) {
        RouterAnswers.PoolList list = upstream.read(
                Addresses.at(router.url(), "/v1/pools"), RouterAnswers.PoolList.class, settings.timeout());
        return new RouterReading(
                list.pools().stream().map(pool -> read(router, pool)).toList());
    }

    private RouterReading.PoolReading read(RouterAddress router, RouterAnswers.Pool pool) {
        String path = "/v1/pools/" + Addresses.encoded(pool.name());
        return new RouterReading.PoolReading(
                pool,
                upstream.read(
                        Addresses.at(router.url(), path + "/decoders"),
                        RouterAnswers.Decoders.class,
                        settings.timeout()),
                upstream.find(
                                Addresses.at(router.url(), path + "/prefillers"),
                                RouterAnswers.Prefillers.class,
                                settings.timeout())
                        .orElse(RouterAnswers.Prefillers.NONE),
                upstream.find(
                                Addresses.at(router.url(), path + "/clients"),
                                RouterAnswers.Clients.class,
                                settings.timeout())
                        .orElse(RouterAnswers.Clients.NONE));
    }

    @PreDestroy
    void stop() {
        threads.shutdownNow();
    }
}
