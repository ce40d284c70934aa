package io.eldr.admin.live;

import io.eldr.admin.AdminProperties;
import io.eldr.admin.security.AdminUser;
import io.eldr.admin.security.SessionRules;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Live", description = "What is going on now")
class LiveController {
    private static final Duration FIRST = Duration.ofSeconds(5);
    /** Something must be sent now and then, or nobody notices that the browser is gone. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private static final byte[] OVER = "event: over\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

    private final LiveFeed feed;
    private final SessionRules sessions;
    private final int maxStreams;
    private final AtomicInteger streams = new AtomicInteger();

    LiveController(LiveFeed feed, SessionRules sessions, AdminProperties properties) {
        this.feed = feed;
        this.sessions = sessions;
        this.maxStreams = properties.live().maxStreams();
    }

    @Operation(summary = "The live state of everything, with how it went in the last quarter of an hour")
    @GetMapping("/api/overview")
    Overview overview() {
        return feed.newest()
                .or(this::first)
                .map(frame -> new Overview(frame.state(), feed.history()))
                .orElseThrow(() -> Problems.exception(ProblemType.UNAVAILABLE, "Nothing was gathered yet."));
    }

    private Optional<LiveFeed.Frame> first() {
        try {
            return feed.next(0, FIRST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Operation(
            summary = "The live state again and again, as server-sent events",
            description =
                    "Each event `state` holds one whole state as JSON; one who is slow gets the newest and not all."
                            + " The event `over` says that the session ended: log in and connect again.")
    @ApiResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(implementation = LiveState.class)))
    @GetMapping(value = "/api/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void stream(@AuthenticationPrincipal AdminUser user, HttpSession session, HttpServletResponse response)
            throws IOException, InterruptedException {
        if (streams.incrementAndGet() > maxStreams) {
            streams.decrementAndGet();
            throw Problems.exception(
                    ProblemType.UNAVAILABLE, "There are " + maxStreams + " dashboards open already. Close one.");
        }
        try {
            response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
            response.setHeader(HttpHeaders.CACHE_CONTROL, CacheControl.noStore().getHeaderValue());
            response.setHeader("X-Accel-Buffering", "no");
            follow(user, session, response.getOutputStream());
        } finally {
            streams.decrementAndGet();
        }
    }

    private void follow(AdminUser user, HttpSession session, OutputStream out)
            throws IOException, InterruptedException {
        long seen = 0;
        while (!feed.isClosed()) {
            if (!isOpen(session) || !sessions.isValid(user)) {
                out.write(OVER);
                out.flush();
                return;
            }
            Optional<LiveFeed.Frame> frame = feed.next(seen, SILENCE);
            if (frame.isPresent()) {
                frame.get().writeTo(out);
                seen = frame.get().state().sequence();
            } else {
                out.write(COMMENT);
            }
            out.flush();
        }
    }

    private static boolean isOpen(HttpSession session) {
        try {
            session.getCreationTime();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
