package io.eldr.admin.live;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What all services said last, gathered at one time. A part that did not answer keeps its last state and says since when
 * it is stale.
 *
 * @param sequence grows by one with each state
 * @param at when it was gathered
 * @param intervalSeconds how long until the next one
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "The live state of everything, gathered once a second. Fields that are not known are absent.")
public record LiveState(
        long sequence,
        Instant at,
        double intervalSeconds,
        Health calibration,
        List<RouterState> routers,
        List<PoolState> pools) {

    public LiveState {
        routers = List.copyOf(routers);
        pools = List.copyOf(pools);
    }

    /** Whether a part answers. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Health(
            @Schema(description = "Whether the part did not answer the last time, so that what is shown of it is old")
            boolean stale,

            @Schema(description = "When it answered last; absent if it never did")
            Optional<Instant> since,

            @Schema(description = "Why it is stale") Optional<String> detail) {}

    /** A router. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record RouterState(
            @Schema(description = "Its name in paths below api/routers/")
            String instance,

            String url,
            Health health,
            Optional<Instant> startedAt,

            @Schema(description = "Its last heartbeat in Postgres; absent if the calibration service does not know it")
            Optional<Instant> lastHeartbeat,

            List<RouterPool> pools) {
        public RouterState {
            pools = List.copyOf(pools);
        }
    }

    /** What a router runs for a pool. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record RouterPool(
            String pool,

            @Schema(description = "The activation generation that it serves; 0 without an artifact")
            long generation,

            @Schema(types = {"integer"}) OptionalInt artifactVersion,
            String policy,

            @Schema(description = "Whether another router serves a newer generation")
            boolean behind,

            @Schema(description = "The activation that it refused, and why")
            Optional<Nack> nack) {}

    /** An activation that a router did not follow, and why. */
    public record Nack(long generation, String reason) {}

    /** A pool, over all routers. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record PoolState(
            String name,
            Health health,
            String model,
            Optional<String> revision,
            int layers,
            int experts,
            int topK,
            String policy,
            double tau,
            int minCandidates,

            @Schema(description = "The newest generation that a router serves")
            long generation,

            @Schema(types = {"integer"}) OptionalInt artifactVersion,

            @Schema(description = "Whether a router serves it from less than it should, for instance no artifact")
            boolean degraded,

            int readyDecoders,

            @Schema(description = "The newest decisions that shares and rates are of")
            int recentDecisions,

            @Schema(description = "How many of them had which reason")
            Map<String, Integer> reasons,

            @Schema(
                    types = {"number"},
                    description =
                            "Of the recent decisions by similarity, how many did not go to the nearest decoder, 0 to 1")
            OptionalDouble spillRate,

            @Schema(
                    types = {"number"},
                    description = "Of the recent decisions by similarity, how many left the tau band, 0 to 1")
            OptionalDouble outOfBandRate,

            @Schema(
                    types = {"number"},
                    description = "Decisions a second over the last 10 s")
            OptionalDouble decisionsPerSecond,

            @Schema(
                    types = {"number"},
                    description = "Mean time per output token of requests that ended in the last 30 s, by the engines")
            OptionalDouble tpotMs,

            @Schema(
                    types = {"number"},
                    description = "Median time per output token, by clients that report what they measure")
            OptionalDouble tpotP50Ms,

            @Schema(
                    types = {"number"},
                    description = "Of the slowest in a hundred, by the same")
            OptionalDouble tpotP99Ms,

            @Schema(
                    types = {"number"},
                    description =
                            "Mean distinct experts that a decode step loads in a layer, by engines or clients that"
                                    + " tell")
            OptionalDouble activeExperts,

            List<DecoderState> decoders,
            List<PrefillerState> prefillers) {
        public PoolState {
            reasons = Map.copyOf(reasons);
            decoders = List.copyOf(decoders);
            prefillers = List.copyOf(prefillers);
        }
    }

    /** A decoder, over all routers. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record DecoderState(
            String id,
            String url,

            @Schema(
                    description = "The worst that a router sees of it",
                    allowableValues = {"READY", "PENDING", "DRAINING", "EJECTED", "GONE"})
            String state,

            @Schema(description = "How many routers give it traffic")
            int readyOn,

            @Schema(description = "What each router sees of it, by instance; absent where all see the same")
            Optional<Map<String, String>> byRouter,

            @Schema(types = {"integer"}) OptionalInt cluster,

            @Schema(description = "Whether another decoder owns that cluster")
            boolean borrowed,

            double weight,
            @Schema(types = {"integer"}) OptionalInt maxInFlight,

            @Schema(description = "Requests that the routers have there now")
            int inFlight,

            @Schema(description = "Its whole load in requests, as the routers estimate it")
            double load,

            @Schema(
                    types = {"number"},
                    description = "Requests in its batches, by the engine")
            OptionalDouble running,

            @Schema(
                    types = {"number"},
                    description = "Requests queued there, by the engine")
            OptionalDouble waiting,

            @Schema(
                    types = {"number"},
                    description = "How full its KV cache is, 0 to 1")
            OptionalDouble kvUse,

            @Schema(description = "Its share of the pool's recent decisions, 0 to 1")
            double share,

            @Schema(
                    types = {"number"},
                    description = "As of its pool")
            OptionalDouble tpotMs,

            @Schema(
                    types = {"number"},
                    description = "As of its pool")
            OptionalDouble activeExperts) {}

    /** A prefill worker, over all routers. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record PrefillerState(
            String id,
            String url,

            @Schema(
                    description = "The worst that a router sees of it",
                    allowableValues = {"READY", "PENDING", "DRAINING", "EJECTED", "GONE"})
            String state,

            @Schema(description = "How many routers give it prompts")
            int readyOn,

            @Schema(description = "What each router sees of it, by instance; absent where all see the same")
            Optional<Map<String, String>> byRouter,

            @Schema(types = {"integer"}) OptionalInt maxInFlight,

            @Schema(description = "Prompts that the routers have there now")
            int inFlight) {}

    /** The newest generation that a router serves for a pool; empty if none knows it. */
    OptionalLong newestGeneration(String pool) {
        return routers.stream()
                .flatMap(router -> router.pools().stream())
                .filter(served -> served.pool().equals(pool))
                .mapToLong(RouterPool::generation)
                .max();
    }
}
