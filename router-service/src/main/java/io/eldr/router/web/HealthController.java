package io.eldr.router.web;

import io.eldr.router.intent.IntentFollower;
import io.eldr.router.pool.Pools;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirements;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Says whether the router lives and whether it can route. Being without Postgres does not make it unready. */
@RestController
@Tag(name = "Health")
@SecurityRequirements
final class HealthController {

    private final Pools pools;
    private final IntentFollower follower;

    HealthController(Pools pools, IntentFollower follower) {
        this.pools = pools;
        this.follower = follower;
    }

    /** Whether the process works. */
    @Schema(name = "Liveness")
    record Liveness(String status) {}

    /** Whether requests can be routed. */
    @Schema(name = "Readiness")
    record Readiness(
            @Schema(allowableValues = {"ready", "waiting"}) String status,

            @Schema(description = "Whether Postgres is away or a pool runs on less than it should")
            boolean degraded,

            @Schema(allowableValues = {"connected", "away"}) String postgres) {}

    @GetMapping("/livez")
    @Operation(summary = "The process works")
    Liveness live() {
        return new Liveness("live");
    }

    @GetMapping("/readyz")
    @Operation(summary = "Requests can be routed")
    @ApiResponse(responseCode = "200", description = "They can, perhaps in a degraded way")
    @ApiResponse(
            responseCode = "503",
            description = "It is not yet known what to serve, or not yet seen which workers are healthy")
    ResponseEntity<Readiness> ready() {
        boolean ready = pools.ready();
        boolean connected = follower.connected();
        boolean degraded =
                !connected || pools.all().stream().anyMatch(pool -> pool.state().degraded());
        Readiness body = new Readiness(ready ? "ready" : "waiting", degraded, connected ? "connected" : "away");
        return ResponseEntity.status(ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
                .body(body);
    }
}
