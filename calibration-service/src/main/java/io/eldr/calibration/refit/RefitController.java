package io.eldr.calibration.refit;

import io.eldr.calibration.job.JobEvents;
import io.eldr.calibration.web.Limits;
import io.eldr.service.access.Caller;
import io.opentelemetry.api.trace.Span;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
@RequestMapping("/v1/pools/{pool}/refits")
class RefitController {
    private final RefitService refits;
    private final RefitDecisions decisions;
    private final RefitFeed feed;

    RefitController(RefitService refits, RefitDecisions decisions, RefitFeed feed) {
        this.refits = refits;
        this.decisions = decisions;
        this.feed = feed;
    }

    @Operation(
            summary = "Asks for a refit of the pool's samples for its present decoders",
            description =
                    "It runs on its own; ask where Location points how far it is. Its artifact is activated as it is"
                            + " published, unless the pool is pinned or in mode propose. With the trigger topology,"
                            + " which clients may set too, one refit serves all who ask for the same decoders.")
    @ApiResponse(responseCode = "202", description = "Queued, or one that serves the wish is open already")
    @ApiResponse(responseCode = "200", description = "One for the same decoders has run before")
    @PostMapping
    ResponseEntity<RefitView> request(
            @PathVariable String pool, @RequestBody Optional<RefitRequest> request, Caller caller) {
        RefitService.Result result = refits.request(pool, request.orElse(RefitRequest.EMPTY), caller);
        Span.current().setAttribute("eldr.refit", result.refit().id());
        return ResponseEntity.status(result.over() ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .location(URI.create(
                        "/v1/pools/" + pool + "/refits/" + result.refit().id()))
                .body(result.refit());
    }

    @Operation(summary = "The refits of a pool, newest first")
    @GetMapping
    List<RefitView> newest(@PathVariable String pool, @RequestParam(defaultValue = "" + Limits.DEFAULT) int limit) {
        return refits.newest(pool, Limits.check(limit));
    }

    @Operation(summary = "One refit with its report")
    @GetMapping("/{id}")
    RefitView one(@PathVariable String pool, @PathVariable long id) {
        return refits.one(pool, id);
    }

    @Operation(
            summary = "How a refit goes on, as server-sent events",
            description =
                    "Event refit: the refit as it is now, at each change and, with its report, at its end, after which"
                            + " the stream ends. Event unavailable: a problem; the stream ends before the refit does,"
                            + " listen again. It works on every replica. A comment comes at least every 15 seconds.")
    @ApiResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(implementation = RefitView.class)))
    @GetMapping(path = "/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events(@PathVariable String pool, @PathVariable long id, HttpServletResponse response) {
        refits.one(pool, id);
        // Proxies pass each event on as it comes.
        response.setHeader("X-Accel-Buffering", "no");
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        return JobEvents.stream(feed, pool, id);
    }

    @Operation(
            summary = "Cancels a refit that waits or runs, on whichever replica",
            description = "One that is over stays as it is and is answered 409.")
    @PostMapping("/{id}/cancel")
    RefitView cancel(@PathVariable String pool, @PathVariable long id, Caller caller) {
        return decisions.cancel(pool, id, caller);
    }

    @Operation(
            summary = "Activates the version that a refit proposes",
            description =
                    "A refit proposes its version where the pool is pinned or in mode propose. 409 if it is active"
                            + " already, or a newer one was activated since.")
    @PostMapping("/{id}/approve")
    RefitView approve(
            @PathVariable String pool, @PathVariable long id, @RequestBody Optional<Approval> approval, Caller caller) {
        return decisions.approve(pool, id, approval.orElse(Approval.PLAIN).expectedGeneration(), caller);
    }

    @Operation(summary = "Leaves the version that a refit proposes; it can still be activated by hand")
    @PostMapping("/{id}/dismiss")
    RefitView dismiss(@PathVariable String pool, @PathVariable long id, Caller caller) {
        return decisions.dismiss(pool, id, caller);
    }
}
