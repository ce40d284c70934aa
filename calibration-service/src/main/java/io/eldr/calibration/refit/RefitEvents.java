package io.eldr.calibration.refit;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Streams how a refit goes on as server-sent events: {@code refit} with its view at once, at each change and, with the
 * report, at its end, which ends the stream; {@code unavailable} with a problem where it ends before. Each stream has a
 * virtual thread of its own, so that a slow reader holds up nobody.
 */
@Component
class RefitEvents {
    private static final Logger log = LoggerFactory.getLogger(RefitEvents.class);
    /** Proxies close what is silent for long. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private static final long NO_TIMEOUT = 0;
    private static final long RETRY_MILLIS = 2_000;

    private final RefitFeed feed;

    RefitEvents(RefitFeed feed) {
        this.feed = feed;
    }

    SseEmitter stream(String pool, long run) {
        SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
        RefitFeed.Listener listener = feed.listen(pool, run);
        Thread.ofVirtual().name("refit-events-" + run).start(() -> pass(listener, emitter));
        return emitter;
    }

    private static void pass(RefitFeed.Listener listener, SseEmitter emitter) {
        try (listener) {
            boolean more = true;
            while (more) {
                Optional<RefitNews> news = listener.next(HEARTBEAT);
                emitter.send(event(news));
                more = news.isEmpty() || (news.get() instanceof RefitNews.Changed changed && !changed.isLast());
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

    private static SseEmitter.SseEventBuilder event(Optional<RefitNews> news) {
        SseEmitter.SseEventBuilder event = SseEmitter.event();
        if (news.isEmpty()) {
            return event.comment("still there");
        }
        return switch (news.get()) {
            case RefitNews.Changed(RefitView refit, int revision) ->
                event.name("refit")
                        .id(Integer.toString(revision))
                        .reconnectTime(RETRY_MILLIS)
                        .data(refit);
            case RefitNews.Unavailable(String why) ->
                event.name("unavailable").reconnectTime(RETRY_MILLIS).data(Problems.of(ProblemType.UNAVAILABLE, why));
        };
    }
}
