package io.eldr.calibration.job;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Streams how work goes on as server-sent events: one of the work's name with its view at once, at each change and, with the
 * report, at its end, which ends the stream; {@code unavailable} with a problem where it ends before. Each stream has a
 * virtual thread of its own, so that a slow reader holds up nobody.
 */
public final class JobEvents {
    private static final Logger log = LoggerFactory.getLogger(JobEvents.class);
    /** Proxies close what is silent for long. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private static final long NO_TIMEOUT = 0;
    private static final long RETRY_MILLIS = 2_000;

    private JobEvents() {}

    /** Streams how one piece goes on. */
    public static <V> SseEmitter stream(JobFeed<?, V> feed, String pool, long run) {
        SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
        JobFeed<?, V>.Listener listener = feed.listen(pool, run);
        Thread.ofVirtual().name(feed.name() + "-events-" + run).start(() -> pass(feed.name(), listener, emitter));
        return emitter;
    }

    private static <V> void pass(String name, JobFeed<?, V>.Listener listener, SseEmitter emitter) {
        try (listener) {
            boolean more = true;
            while (more) {
                Optional<JobNews<V>> news = listener.next(HEARTBEAT);
                emitter.send(event(name, news));
                more = news.isEmpty() || (news.get() instanceof JobNews.Changed<V> changed && !changed.last());
            }
            emitter.complete();
        } catch (IOException | IllegalStateException gone) {
            // Who listened has left; the server ends the answer.
            log.debug("A listener left", gone);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            emitter.complete();
        }
    }

    private static <V> SseEmitter.SseEventBuilder event(String name, Optional<JobNews<V>> news) {
        SseEmitter.SseEventBuilder event = SseEmitter.event();
        if (news.isEmpty()) {
            return event.comment("still there");
        }
        return switch (news.get()) {
            case JobNews.Changed<V> changed ->
                event.name(name)
                        .id(Integer.toString(changed.revision()))
                        .reconnectTime(RETRY_MILLIS)
                        .data(Objects.requireNonNull(changed.view()));
            case JobNews.Unavailable<V> unavailable ->
                event.name("unavailable")
                        .reconnectTime(RETRY_MILLIS)
                        .data(Problems.of(ProblemType.UNAVAILABLE, unavailable.why()));
        };
    }
}
