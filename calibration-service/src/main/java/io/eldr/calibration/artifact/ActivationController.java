package io.eldr.calibration.artifact;

import io.eldr.calibration.web.Limits;
import io.eldr.service.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/pools/{pool}")
class ActivationController {
    private final ActivationService activations;

    ActivationController(ActivationService activations) {
        this.activations = activations;
    }

    @Operation(summary = "Serves a version from the pool's next generation on")
    @ApiResponse(responseCode = "201", description = "Activated")
    @ApiResponse(responseCode = "200", description = "The version was active already; there is no new generation")
    @PostMapping("/activations")
    ResponseEntity<ActivationView> activate(
            @PathVariable String pool, @RequestBody ActivationRequest request, Caller caller) {
        return answer(activations.activate(pool, request, caller));
    }

    @Operation(
            summary = "Goes back to a version: the one that was served before, where none is named",
            description =
                    "A rollback without a version after a rollback goes further back; it never returns to a version that was"
                            + " rolled back.")
    @ApiResponse(responseCode = "201", description = "Rolled back, under a new generation")
    @ApiResponse(responseCode = "200", description = "The version was active already; there is no new generation")
    @PostMapping("/rollback")
    ResponseEntity<ActivationView> rollBack(
            @PathVariable String pool, @RequestBody Optional<ActivationRequest> request, Caller caller) {
        return answer(activations.rollBack(pool, request.orElse(ActivationRequest.EMPTY), caller));
    }

    @Operation(
            summary = "The history of activations, newest first; with a time, the one that was in force then",
            description = "An activation is in force from its own time on until the next one's.")
    @GetMapping("/activations")
    List<ActivationView> history(
            @PathVariable String pool,
            @RequestParam Optional<Instant> at,
            @RequestParam(defaultValue = "" + Limits.DEFAULT) int limit) {
        return activations.history(pool, at, Limits.check(limit));
    }

    @Operation(summary = "What is served now")
    @GetMapping("/activations/current")
    ActivationView current(@PathVariable String pool) {
        return activations.current(pool);
    }

    private static ResponseEntity<ActivationView> answer(ActivationService.Result result) {
        return ResponseEntity.status(result.fresh() ? HttpStatus.CREATED : HttpStatus.OK)
                .body(result.activation());
    }
}
