package io.eldr.router.pool;

import io.eldr.core.load.LoadLedger;
import io.eldr.router.worker.EngineScraper;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.InstantSource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Shows what this router serves. */
@RestController
@Tag(name = "Pools", description = "What this router serves, and from what")
final class PoolController {

    private final Pools pools;
    private final LoadLedger ledger;
    private final EngineScraper scraper;
    private final RecentDecisions recent;
    private final InstantSource clock;

    PoolController(Pools pools, LoadLedger ledger, EngineScraper scraper, RecentDecisions recent, InstantSource clock) {
        this.pools = pools;
        this.ledger = ledger;
        this.scraper = scraper;
        this.recent = recent;
        this.clock = clock;
    }

    @GetMapping("/v1/pools")
    @Operation(summary = "The pools, in name order")
    PoolAnswers.PoolList list() {
        return new PoolAnswers.PoolList(pools.all().stream()
                .map(pool -> PoolAnswers.PoolSummary.of(pool.state()))
                .toList());
    }

    @GetMapping("/v1/pools/{pool}/decoders")
    @Operation(summary = "A pool's decoders with their clusters, states and loads")
    PoolAnswers.Decoders decoders(@PathVariable String pool) {
        return PoolAnswers.Decoders.of(find(pool).state(), ledger, scraper, recent.of(pool), clock.instant());
    }

    @GetMapping("/v1/pools/{pool}/prefillers")
    @Operation(summary = "A pool's prefill workers with their states and what they have in flight")
    PoolAnswers.Prefillers prefillers(@PathVariable String pool) {
        return PoolAnswers.Prefillers.of(find(pool).state(), ledger);
    }

    @GetMapping("/v1/pools/{pool}/artifact")
    @Operation(summary = "The artifact that serves, and the activation that was refused if there is one")
    PoolAnswers.Artifact artifact(@PathVariable String pool) {
        return PoolAnswers.Artifact.of(find(pool).state());
    }

    private Pool find(String pool) {
        return pools.find(pool).orElseThrow(() -> Problems.exception(ProblemType.NOT_FOUND, "There is no such pool."));
    }
}
