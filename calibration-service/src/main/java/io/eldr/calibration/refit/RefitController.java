package io.eldr.calibration.refit;

import io.eldr.calibration.web.Limits;
import io.eldr.service.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/pools/{pool}/refits")
class RefitController {
    private final RefitService refits;

    RefitController(RefitService refits) {
        this.refits = refits;
    }

    @Operation(
            summary = "Asks for a refit of the pool's samples for its present decoders",
            description =
                    "It runs on its own; ask where Location points how far it is. Its artifact is activated as it is"
                            + " published, unless the pool is pinned or in mode propose.")
    @ApiResponse(responseCode = "202", description = "Queued")
    @PostMapping
    ResponseEntity<RefitView> request(
            @PathVariable String pool, @RequestBody Optional<RefitRequest> request, Caller caller) {
        RefitView view = refits.request(pool, request.orElse(RefitRequest.EMPTY), caller);
        return ResponseEntity.accepted()
                .location(URI.create("/v1/pools/" + pool + "/refits/" + view.id()))
                .body(view);
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
}
