package io.eldr.calibration.evaluation;

import io.eldr.calibration.job.JobEvents;
import io.eldr.calibration.web.Limits;
import io.eldr.service.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
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
@RequestMapping("/v1/pools/{pool}/evaluations")
class EvaluationController {
    private final EvaluationService evaluations;
    private final EvaluationFeed feed;

    EvaluationController(EvaluationService evaluations, EvaluationFeed feed) {
        this.evaluations = evaluations;
        this.feed = feed;
    }

    @Operation(
            summary = "Asks how policies would do on the pool's samples",
            description =
                    "A simulated pool serves the samples; policies, tau, numbers of decoders and rates are compared over"
                            + " seeds. It runs on its own and changes nothing in the pool; ask where Location points how"
                            + " far it is. A rate over capacity is reported as unstable.")
    @ApiResponse(responseCode = "202", description = "Queued")
    @PostMapping
    ResponseEntity<EvaluationView> request(
            @PathVariable String pool, @RequestBody Optional<EvaluationRequest> request, Caller caller) {
        EvaluationView queued = evaluations.request(pool, request.orElse(EvaluationRequest.EMPTY), caller);
        return ResponseEntity.accepted()
                .location(URI.create("/v1/pools/" + pool + "/evaluations/" + queued.id()))
                .body(queued);
    }

    @Operation(summary = "The evaluations of a pool, newest first")
    @GetMapping
    List<EvaluationView> newest(
            @PathVariable String pool, @RequestParam(defaultValue = "" + Limits.DEFAULT) int limit) {
        return evaluations.newest(pool, Limits.check(limit));
    }

    @Operation(summary = "One evaluation with its report")
    @GetMapping("/{id}")
    EvaluationView one(@PathVariable String pool, @PathVariable long id) {
        return evaluations.one(pool, id);
    }

    @Operation(
            summary = "How an evaluation goes on, as server-sent events",
            description =
                    "Event evaluation: the evaluation as it is now, at each change and, with its report, at its end, after"
                            + " which the stream ends. Event unavailable: a problem; the stream ends before the evaluation"
                            + " does, listen again. It works on every replica. A comment comes at least every 15 seconds.")
    @ApiResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(implementation = EvaluationView.class)))
    @GetMapping(path = "/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events(@PathVariable String pool, @PathVariable long id, HttpServletResponse response) {
        evaluations.one(pool, id);
        // Proxies pass each event on as it comes.
        response.setHeader("X-Accel-Buffering", "no");
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        return JobEvents.stream(feed, pool, id);
    }

    @Operation(
            summary = "Cancels an evaluation that waits or runs, on whichever replica",
            description = "One that is over stays as it is and is answered 409.")
    @PostMapping("/{id}/cancel")
    EvaluationView cancel(@PathVariable String pool, @PathVariable long id, Caller caller) {
        return evaluations.cancel(pool, id, caller);
    }
}
