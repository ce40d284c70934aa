package io.eldr.admin.live;

import io.eldr.admin.live.LiveState.Health;
import io.eldr.admin.upstream.UpstreamException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One service that is asked again and again, at most one time at once, with what it answered last. One that hangs holds
 * up nothing but itself.
 */
final class Part<T> {
    private static final Logger log = LoggerFactory.getLogger(Part.class);

    /**
     * @param value the last answer, however old
     * @param at when it came
     * @param failure why the last time there was none
     */
    record Reading<T>(Optional<T> value, Optional<Instant> at, Optional<String> failure) {
        Health health() {
            return new Health(failure.isPresent() || value.isEmpty(), at, failure);
        }
    }

    private final String name;
    private final Supplier<T> question;
    private final Executor executor;
    private final InstantSource clock;
    private volatile Reading<T> last = new Reading<>(Optional.empty(), Optional.empty(), Optional.empty());
    private CompletableFuture<Void> asking = CompletableFuture.completedFuture(null);

    Part(String name, Supplier<T> question, Executor executor, InstantSource clock) {
        this.name = name;
        this.question = question;
        this.executor = executor;
        this.clock = clock;
    }

    /** Asks, unless it still is being asked; ends, always well, when there is an answer or none. */
    synchronized CompletableFuture<Void> ask() {
        if (asking.isDone()) {
            asking = CompletableFuture.runAsync(this::askNow, executor);
        }
        return asking;
    }

    private void askNow() {
        try {
            T value = question.get();
            if (last.failure().isPresent()) {
                log.info("{} answers again", name);
            }
            last = new Reading<>(Optional.of(value), Optional.of(clock.instant()), Optional.empty());
        } catch (UpstreamException e) {
            failed(e.reason());
        } catch (RuntimeException e) {
            log.error("What {} answered is not understood", name, e);
            failed("gave an answer that is not understood");
        }
    }

    private void failed(String reason) {
        if (last.failure().isEmpty()) {
            log.warn("{} {}", name, reason);
        }
        last = new Reading<>(last.value(), last.at(), Optional.of(reason));
    }

    Reading<T> last() {
        return last;
    }
}
