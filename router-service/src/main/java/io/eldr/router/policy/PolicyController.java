package io.eldr.router.policy;

import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows what policies on trial were found to be worth. */
@RestController
@Tag(
        name = "Policies",
        description = "Shadow policies and policies that take turns; each router shows what it saw itself")
final class PolicyController {

    private final Pools pools;
    private final Shadows shadows;
    private final Switchbacks switchbacks;
    private final InstantSource wallClock;

    PolicyController(
            Pools pools, Shadows shadows, Switchbacks switchbacks, @Qualifier("wallClock") InstantSource wallClock) {
        this.pools = pools;
        this.shadows = shadows;
        this.switchbacks = switchbacks;
        this.wallClock = wallClock;
    }

    @GetMapping("/v1/pools/{pool}/shadow")
    @Operation(
            summary = "How a pool's shadow policy compares with the live one",
            description = "Counted anew when the shadow or the live policy changes.")
    PolicyAnswers.Shadow shadow(@PathVariable String pool) {
        return PolicyAnswers.Shadow.of(find(pool).state(), shadows.trial(pool), shadows.leftOut());
    }

    @GetMapping("/v1/pools/{pool}/switchback")
    @Operation(
            summary = "The time per output token of policies that take turns",
            description = "From the tpotMs of closed reservations. Counted anew when the setting changes or the router "
                    + "starts.")
    PolicyAnswers.Switchback switchback(@PathVariable String pool) {
        find(pool);
        return switchbacks
                .trial(pool)
                .map(trial -> PolicyAnswers.Switchback.of(pool, trial, wallClock.instant()))
                .orElseGet(() -> PolicyAnswers.Switchback.none(pool));
    }

    private Pool find(String pool) {
        return pools.find(pool).orElseThrow(() -> Problems.exception(ProblemType.NOT_FOUND, "There is no such pool."));
    }
}
