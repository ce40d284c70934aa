package io.eldr.calibration.evaluation;

import io.eldr.core.cost.ModelConstants;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.ArrivalTrace;
import io.eldr.simulator.cluster.ClusterSettings;
import io.eldr.simulator.study.StudyPlan;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Mix;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What to evaluate, in the form that a run carries; nothing is left open.
 *
 * @param version the artifact's; empty where the pool has none
 * @param rates empty: as the arrival trace has them
 * @param promptTokens empty: as sampled
 */
record EvaluationOptions(
        Optional<Integer> version,
        List<String> policies,

        @ArraySchema(schema = @Schema(types = {"number", "string"}))
        List<TauSetting> tau,

        List<Integer> decoders,
        int prefillers,
        List<Double> rates,
        String arrivals,
        String mix,
        int outputTokens,
        Optional<Integer> promptTokens,
        int requests,
        int routers,
        int seeds,
        long seed) {
    static final String POISSON = "poisson";

    private static final String RECORDED = "recorded";
    private static final int DEFAULT_PREFILLERS = 8;
    private static final double DEFAULT_RATE = 20;
    private static final int DEFAULT_OUTPUT_TOKENS = 512;
    /** Together they take the service for hours at most. */
    private static final int MAX_REQUESTS = 1_000_000;

    private static final int MAX_RUNS = 2_000;

    /**
     * @param version the artifact's that is evaluated
     * @param clusters its number of clusters, or the pool's number of decoders
     * @throws InvalidInputException naming the field that is refused
     */
    static EvaluationOptions of(EvaluationRequest request, Optional<Integer> version, int clusters) {
        String arrivals = request.arrivals().orElse(POISSON);
        return new EvaluationOptions(
                version,
                request.policies()
                        .orElseGet(() -> Arrays.stream(PolicyName.values())
                                .map(PolicyName::id)
                                .toList()),
                request.tau().orElse(List.of(TauSetting.AUTO)),
                request.decoders().orElse(List.of(clusters)),
                request.prefillers().orElse(DEFAULT_PREFILLERS),
                request.rates().orElse(arrivals.equals(POISSON) ? List.of(DEFAULT_RATE) : List.of()),
                arrivals,
                request.mix().orElse(RECORDED),
                request.outputTokens().orElse(DEFAULT_OUTPUT_TOKENS),
                request.promptTokens(),
                request.requests().orElse(StudyPlan.DEFAULT_REQUESTS),
                request.routers().orElse(1),
                request.seeds().orElse(StudyPlan.DEFAULT_SEEDS),
                request.seed().orElse(1L));
    }

    /**
     * The same as the simulator takes it.
     *
     * @param trace the arrival trace that is named; empty for poisson
     * @throws InvalidInputException naming the field that is refused
     */
    StudyPlan plan(Geometry geometry, Optional<ArrivalTrace> trace) {
        if (rates.isEmpty() && trace.isEmpty()) {
            throw new InvalidInputException("rates", "must name at least one for poisson arrivals");
        }
        if (requests > MAX_REQUESTS) {
            throw new InvalidInputException("requests", "must be at most " + MAX_REQUESTS + " but is " + requests);
        }
        if (decoders.isEmpty()) {
            throw new InvalidInputException("decoders", "must name at least one");
        }
        StudyPlan plan = new StudyPlan(
                policies.stream().map(name -> PolicyName.of("policies", name)).toList(),
                tau.stream().map(TauSetting::choice).toList(),
                decoders,
                rates,
                new ClusterSettings(
                        prefillers,
                        decoders.getFirst(),
                        ModelConstants.scaledToQwen(geometry.layers(), geometry.experts()),
                        1,
                        false,
                        routers,
                        ClusterSettings.DEFAULT_SCRAPE_SECONDS,
                        false,
                        0,
                        List.of()),
                trace.isPresent()
                        ? new Arrivals.Recorded(arrivals, trace.get(), OptionalDouble.empty())
                        : new Arrivals.Poisson(rates.getFirst(), length(), outputTokens),
                Mix.parse(mix),
                Optional.empty(),
                requests,
                seeds,
                seed);
        if (plan.runs() > MAX_RUNS) {
            throw new InvalidInputException(
                    "",
                    "policies, tau, decoders, rates and seeds make " + plan.runs() + " runs; at most " + MAX_RUNS
                            + " are made");
        }
        return plan;
    }

    private OptionalInt length() {
        return promptTokens.map(OptionalInt::of).orElse(OptionalInt.empty());
    }
}
