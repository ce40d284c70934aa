package io.eldr.router.pool;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.routing.ClusterBinding;
import io.eldr.router.artifact.LoadedArtifact;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.worker.EngineScraper;
import io.eldr.router.worker.EngineSnapshot;
import io.eldr.router.worker.WorkerState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The bodies in which pools are shown. Fields that do not apply are absent. */
final class PoolAnswers {

    private PoolAnswers() {}

    /** All pools. */
    record PoolList(List<PoolSummary> pools) {}

    /** A pool at a glance. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record PoolSummary(
            String name,
            String model,
            @Schema(type = "string") Optional<String> revision,
            int layers,
            int experts,
            int topK,
            String policy,

            @Schema(description = "The width of the band in force")
            double tau,

            long generation,

            @Schema(
                    types = {"integer"},
                    format = "int64")
            OptionalLong artifactVersion,

            boolean degraded,

            @Schema(description = "Decoders that get traffic")
            int readyDecoders,

            int decoders) {

        static PoolSummary of(ServedState state) {
            PoolIntent intent = state.intent();
            return new PoolSummary(
                    intent.name(),
                    intent.model().name(),
                    Optional.of(intent.model().revision()).filter(revision -> !revision.isEmpty()),
                    intent.model().geometry().layers(),
                    intent.model().geometry().experts(),
                    intent.model().geometry().topK(),
                    state.policyName().id(),
                    state.forDecisions().snapshot().band().tau(),
                    state.version().generation(),
                    state.version().artifactVersion(),
                    state.degraded(),
                    state.rows().size(),
                    state.decoders().size());
        }
    }

    /** A pool's decoders. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Decoders(
            String pool,
            long generation,

            @Schema(
                    types = {"integer"},
                    format = "int64")
            OptionalLong artifactVersion,

            boolean degraded,
            String policy,
            double tau,
            int minCandidates,

            @Schema(description = "Decisions since this router started")
            long decisions,

            @Schema(description = "How many of this router's newest decisions in the pool had each reason")
            Map<String, Integer> recentReasons,

            List<DecoderAnswer> decoders) {

        static Decoders of(
                ServedState state,
                LoadLedger ledger,
                EngineScraper scraper,
                RecentDecisions.Counts recent,
                Instant now) {
            int all = recent.newest();
            List<DecoderAnswer> decoders = new ArrayList<>();
            for (WorkerView view : state.decoders()) {
                String id = view.worker().slot();
                boolean gone = view.state() == WorkerState.GONE;
                Optional<ClusterBinding> binding = gone
                        ? Optional.empty()
                        : state.active().flatMap(active -> active.binding().cluster(id));
                decoders.add(new DecoderAnswer(
                        id,
                        view.worker().url(),
                        view.state(),
                        view.source().name().toLowerCase(Locale.ROOT),
                        binding.map(bound -> OptionalInt.of(bound.cluster())).orElse(OptionalInt.empty()),
                        binding.map(ClusterBinding::borrowed).orElse(false),
                        view.worker().weight(),
                        view.worker().maxInFlight(),
                        ledger.inFlight(view.incarnation()),
                        ledger.load(view.incarnation()),
                        scraper.snapshot(view.incarnation())
                                .map(snapshot -> EngineAnswer.of(
                                        snapshot,
                                        state.intent().model().geometry().layers(),
                                        ledger.report(view.incarnation()).isPresent(),
                                        now)),
                        gone ? 0 : recent.perDecoder().getOrDefault(id, 0),
                        gone || all == 0 ? 0 : recent.perDecoder().getOrDefault(id, 0) / (double) all));
            }
            return new Decoders(
                    state.intent().name(),
                    state.version().generation(),
                    state.version().artifactVersion(),
                    state.degraded(),
                    state.policyName().id(),
                    state.forDecisions().snapshot().band().tau(),
                    state.forDecisions().snapshot().band().minCandidates(),
                    recent.sinceStart(),
                    new TreeMap<>(recent.perReason()),
                    decoders);
        }
    }

    /** A decoder. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record DecoderAnswer(
            String id,
            String url,
            WorkerState state,

            @Schema(
                    description = "Who said that it is there",
                    allowableValues = {"registered", "kubernetes"})
            String source,

            @Schema(types = {"integer"}) OptionalInt cluster,

            @Schema(description = "Whether another decoder owns that cluster")
            boolean borrowed,

            double weight,
            @Schema(types = {"integer"}) OptionalInt maxInFlight,

            @Schema(description = "Requests this router has there now")
            int inFlight,

            @Schema(description = "Its whole load as estimated, in requests")
            double load,

            @Schema(description = "What its engine says; absent where it was not asked or did not answer yet")
            Optional<EngineAnswer> engine,

            @Schema(description = "How many of this router's newest decisions in the pool went there")
            int recentDecisions,

            @Schema(description = "Its share of this router's newest decisions in the pool, 0 to 1")
            double recentShare) {}

    /** A pool's prefill workers. */
    record Prefillers(String pool, List<PrefillerAnswer> prefillers) {

        static Prefillers of(ServedState state, LoadLedger ledger) {
            return new Prefillers(
                    state.intent().name(),
                    state.prefillers().stream()
                            .map(view -> new PrefillerAnswer(
                                    view.worker().slot(),
                                    view.worker().url(),
                                    view.state(),
                                    view.eligible(),
                                    view.source().name().toLowerCase(Locale.ROOT),
                                    view.worker().maxInFlight(),
                                    ledger.inFlight(view.incarnation())))
                            .toList());
        }
    }

    /** A prefill worker. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @Schema(name = "Prefiller")
    record PrefillerAnswer(
            String id,
            String url,
            WorkerState state,

            @Schema(description = "Whether prompts may go there: it is READY, or EJECTED and may try one")
            boolean eligible,

            @Schema(
                    description = "Who said that it is there",
                    allowableValues = {"registered", "kubernetes"})
            String source,

            @Schema(types = {"integer"}) OptionalInt maxInFlight,

            @Schema(description = "Prompts this router has there now")
            int inFlight) {}

    /** What an engine said of its load. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @Schema(name = "EngineLoad")
    record EngineAnswer(
            @Schema(description = "Requests in its batches, whoever sent them")
            double running,

            @Schema(description = "Requests queued there") double waiting,

            @Schema(description = "Requests on each of its data-parallel ranks; absent where it has but one")
            Optional<List<Integer>> requestsByRank,

            @Schema(
                    types = {"number"},
                    description = "How full its KV cache is, 0 to 1")
            OptionalDouble kvUse,

            @Schema(
                    description =
                            "Times per output token of the requests that it finished; absent where it does not tell")
            Optional<TokenTimesAnswer> tokenTimes,

            @Schema(description = "Experts of its decode steps; absent where it does not count them")
            Optional<StepExpertsAnswer> stepExperts,

            @Schema(description = "Since it was asked") double ageSeconds,

            @Schema(description = "Whether it counts in the load; too old otherwise")
            boolean counts) {

        static EngineAnswer of(EngineSnapshot snapshot, int layers, boolean counts, Instant now) {
            return new EngineAnswer(
                    snapshot.load().running(),
                    snapshot.load().waiting(),
                    Optional.of(snapshot.load().requestsByRank()).filter(ranks -> ranks.size() > 1),
                    snapshot.load().kvUse(),
                    snapshot.load().tokenTimes().map(times -> new TokenTimesAnswer(times.seconds(), times.requests())),
                    snapshot.load()
                            .stepExperts()
                            .map(found -> new StepExpertsAnswer(found.experts() / layers, found.steps())),
                    Duration.between(snapshot.askedAt(), now).toMillis() / 1_000.0,
                    counts);
        }
    }

    /** Times per output token of an engine. */
    @Schema(name = "TokenTimes", description = "Since the engine started; of two readings the differences count")
    record TokenTimesAnswer(
            @Schema(description = "The sum over requests of each one's mean time per output token")
            double seconds,

            @Schema(description = "How many requests") double requests) {}

    /** Experts that an engine's decode steps loaded. */
    @Schema(name = "StepExperts", description = "Since the engine started; of two readings the differences count")
    record StepExpertsAnswer(
            @Schema(
                    description =
                            "The sum over steps of each one's distinct experts in a layer, by the mean over layers")
            double experts,

            @Schema(description = "How many steps") double steps) {}

    /** What a pool serves from. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Artifact(
            String pool,

            @Schema(description = "The generation that serves; 0 without an artifact")
            long generation,

            @Schema(types = {"integer"}) OptionalInt version,
            Optional<String> sha256,
            Optional<String> representation,

            @Schema(description = "The layers that signatures are made of")
            Optional<List<Integer>> mask,

            @Schema(types = {"number"}) Optional<Double> recommendedTau,

            @Schema(description = "The slot of each cluster, by cluster")
            Optional<List<String>> slots,

            Optional<Instant> loadedAt,

            @Schema(allowableValues = {"postgres", "disk", "none"})
            String source,

            Optional<Nack> nack) {

        static Artifact of(ServedState state) {
            Optional<LoadedArtifact> loaded = state.artifact();
            return new Artifact(
                    state.intent().name(),
                    state.version().generation(),
                    loaded.map(artifact -> OptionalInt.of(artifact.activation().version()))
                            .orElse(OptionalInt.empty()),
                    loaded.map(artifact -> artifact.stored().sha256()),
                    loaded.map(artifact ->
                            artifact.artifact().spec().representation().id()),
                    loaded.map(
                            artifact -> layers(artifact.artifact().spec().mask().toArray())),
                    loaded.map(artifact -> artifact.artifact().recommendedTau()),
                    loaded.map(artifact -> artifact.artifact().slots()),
                    loaded.map(LoadedArtifact::loadedAt),
                    state.status().source().name().toLowerCase(Locale.ROOT),
                    state.refused().map(refusal -> new Nack(refusal.generation(), refusal.reason())));
        }

        private static List<Integer> layers(int[] mask) {
            return Arrays.stream(mask).boxed().toList();
        }
    }

    /** An activation that was not followed, and why. */
    record Nack(long generation, String reason) {}
}
