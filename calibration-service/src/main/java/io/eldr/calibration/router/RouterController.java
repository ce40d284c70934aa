package io.eldr.calibration.router;

import io.eldr.calibration.schema.RegistryClock;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.router.RouterInstanceRepository;
import io.eldr.db.router.RouterPoolStatusRepository;
import io.swagger.v3.oas.annotations.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows which routers there are and what each of them runs. */
@RestController
class RouterController {
    private static final String DEFAULT_MINUTES = "10";
    private static final int MAX_MINUTES = 1_440;

    private final RouterInstanceRepository routers;
    private final RouterPoolStatusRepository statuses;
    private final PoolRepository pools;
    private final RegistryClock clock;

    RouterController(
            RouterInstanceRepository routers,
            RouterPoolStatusRepository statuses,
            PoolRepository pools,
            RegistryClock clock) {
        this.routers = routers;
        this.statuses = statuses;
        this.pools = pools;
        this.clock = clock;
    }

    @Operation(
            summary = "The routers that gave a sign of life lately, by id, with what each of them runs",
            description = "`seenWithinMinutes` says what lately means, 1 to 1,440.")
    @GetMapping("/v1/routers")
    @Transactional(readOnly = true)
    public List<RouterView> all(@RequestParam(defaultValue = DEFAULT_MINUTES) int seenWithinMinutes) {
        if (seenWithinMinutes < 1 || seenWithinMinutes > MAX_MINUTES) {
            throw new InvalidInputException(
                    "seenWithinMinutes", "must be between 1 and " + MAX_MINUTES + " but is " + seenWithinMinutes);
        }
        Instant since = clock.instant().minus(Duration.ofMinutes(seenWithinMinutes));
        Map<Long, String> names = pools.findAll().stream().collect(Collectors.toMap(Pool::id, Pool::name));
        return routers.findByLastSeenGreaterThanEqualOrderById(since).stream()
                .map(router -> RouterView.of(router, statuses.findByRouterIdOrderByPoolId(router.id()), names))
                .toList();
    }
}
