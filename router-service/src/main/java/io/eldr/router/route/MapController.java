package io.eldr.router.route;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.pool.Pools;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows recent decisions on a map. */
@RestController
@Tag(name = "Decisions", description = "Where to decode a request, and why there")
final class MapController {
    private static final int MAX_POINTS = 5_000;

    private final Pools pools;
    private final DecisionMaps maps;

    MapController(Pools pools, DecisionMaps maps) {
        this.pools = pools;
        this.maps = maps;
    }

    @GetMapping("/v1/pools/{pool}/map")
    @Operation(
            summary = "The newest decisions of a pool on the plane on which its centroids lie furthest apart",
            description = "`limit` is how many points there are at most, 0 to 5,000.")
    MapAnswer map(@PathVariable String pool, @RequestParam(defaultValue = "500") int limit) {
        if (limit < 0 || limit > MAX_POINTS) {
            throw new InvalidInputException("limit", "must be between 0 and " + MAX_POINTS + " but is " + limit);
        }
        return maps.of(
                pools.find(pool)
                        .orElseThrow(() -> Problems.exception(ProblemType.NOT_FOUND, "There is no such pool."))
                        .state(),
                limit);
    }
}
