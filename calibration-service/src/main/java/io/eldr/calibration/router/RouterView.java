package io.eldr.calibration.router;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.eldr.calibration.web.Fields;
import io.eldr.db.router.RouterInstance;
import io.eldr.db.router.RouterPoolStatus;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A router as it reported itself. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(name = "Router", description = "A router as it reported itself")
record RouterView(
        String id,

        @Schema(description = "Where others reach it, if it says so")
        Optional<String> url,

        Instant startedAt,

        @Schema(description = "Its last heartbeat") Instant lastSeen,

        List<PoolStatusView> pools) {

    /** What it runs for a pool. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @Schema(name = "RouterPoolStatus", description = "What a router runs for a pool")
    record PoolStatusView(
            String pool,

            @Schema(description = "The generation that it runs; absent if it runs none")
            Optional<Long> generation,

            Optional<Integer> artifactVersion,

            @Schema(allowableValues = {"postgres", "disk", "none"})
            String source,

            @Schema(description = "The generation that it refused, and why")
            Optional<NackView> nack,

            Instant updatedAt) {
        static PoolStatusView of(String pool, RouterPoolStatus status) {
            return new PoolStatusView(
                    pool,
                    status.generation().isPresent()
                            ? Optional.of(status.generation().getAsLong())
                            : Optional.empty(),
                    status.artifactVersion().isPresent()
                            ? Optional.of(status.artifactVersion().getAsInt())
                            : Optional.empty(),
                    Fields.word(status.source()),
                    status.nack().map(nack -> new NackView(nack.generation(), nack.reason())),
                    status.updatedAt());
        }
    }

    /** An activation that was not followed, and why. */
    @Schema(name = "RouterNack")
    record NackView(long generation, String reason) {}

    /** @param pools the names of live pools, by key */
    static RouterView of(RouterInstance router, List<RouterPoolStatus> statuses, Map<Long, String> pools) {
        return new RouterView(
                router.id(),
                router.url(),
                router.startedAt(),
                router.lastSeen(),
                statuses.stream()
                        .filter(status -> pools.containsKey(status.poolId()))
                        .map(status -> PoolStatusView.of(pools.getOrDefault(status.poolId(), ""), status))
                        .toList());
    }
}
