package io.eldr.router.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.SwitchbackRule;
import io.eldr.router.pool.ServedState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/** The bodies in which trials of policies are shown. Fields that do not apply are absent. */
final class PolicyAnswers {

    /** The same windows give the same interval. */
    private static final long SEED = 1;

    private PolicyAnswers() {}

    /** A pool's shadow. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Shadow(
            String pool,

            @Schema(description = "The live policy") String policy,

            @Schema(description = "Absent where the pool has none")
            Optional<ShadowSetting> shadow,

            @Schema(description = "What was found of it; absent before its first decision")
            Optional<ShadowFigures> figures) {

        static Shadow of(ServedState state, Optional<ShadowTrial> trial, long leftOut) {
            return new Shadow(
                    state.intent().name(),
                    state.policyName().id(),
                    state.shadow()
                            .map(shadow -> new ShadowSetting(
                                    shadow.rule().policy().id(),
                                    shadow.snapshot().band().tau())),
                    trial.filter(found -> state.shadow()
                                    .filter(shadow ->
                                            found.isOf(state.intent().id(), state.policyName(), shadow.rule()))
                                    .isPresent())
                            .map(found -> ShadowFigures.of(found, leftOut)));
        }
    }

    /** The policy that decides beside the live one. */
    record ShadowSetting(
            String policy,

            @Schema(description = "The width of its band") double tau) {}

    /** How it compares with the live one. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record ShadowFigures(
            Instant since,
            long decisions,

            @Schema(description = "The share of decisions in which both chose the same decoder")
            double agreement,

            @Schema(
                    description = "Mean similarity of requests to the shadow's decoder less that to the live one's",
                    types = {"number"})
            OptionalDouble meanSimilarityDifference,

            @Schema(
                    description =
                            "Mean price of requests on the shadow's decoder less that on the live one's: the time that"
                                    + " a request is predicted to cost everybody there, in milliseconds",
                    types = {"number"})
            OptionalDouble meanPriceDifferenceMs,

            @Schema(description = "Mean load of the shadow's decoder less that of the live one's, in requests")
            double meanLoadDifference,

            @Schema(description = "Decisions of all pools that no shadow made because too many waited")
            long leftOut) {

        static ShadowFigures of(ShadowTrial trial, long leftOut) {
            return new ShadowFigures(
                    trial.since(),
                    trial.decisions(),
                    trial.agreement(),
                    trial.compared() == 0
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(trial.meanSimilarityDifference()),
                    trial.priced() == 0 ? OptionalDouble.empty() : OptionalDouble.of(trial.meanPriceDifference()),
                    trial.meanLoadDifference(),
                    leftOut);
        }
    }

    /** Policies that take turns. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Switchback(
            String pool,

            @Schema(description = "Absent, like all below, where policies do not take turns")
            Optional<Integer> minutes,

            Optional<Turn> current,

            @Schema(description = "What ran before does not count")
            Optional<Instant> since,

            Optional<List<Arm>> arms,

            @Schema(
                    description =
                            "Who said how long tokens took: whoever closes reservations, or the engines' histograms",
                    allowableValues = {"closes", "engines"})
            Optional<String> source,

            @Schema(description = "How far the second arm's median lies above the first's, as a share of the first's")
            Optional<Change> change,

            @Schema(description = "Requests that no window holds: at its start, or running into the next")
            Optional<Long> leftOut) {

        static Switchback none(String pool) {
            return new Switchback(
                    pool,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        static Switchback of(String pool, SwitchbackTrial trial, Instant now) {
            SwitchbackRule rule = trial.rule();
            double[] first = trial.medians(rule.first());
            double[] second = trial.medians(rule.second());
            return new Switchback(
                    pool,
                    Optional.of(rule.minutes()),
                    Optional.of(Turn.of(rule.windowAt(now))),
                    Optional.of(trial.since()),
                    Optional.of(List.of(
                            Arm.of(rule.first(), trial.requests(rule.first()), first),
                            Arm.of(rule.second(), trial.requests(rule.second()), second))),
                    Optional.of(trial.source().id()),
                    first.length == 0 || second.length == 0 ? Optional.empty() : Optional.of(Change.of(first, second)),
                    Optional.of(trial.leftOut()));
        }
    }

    /** Whose turn it is. */
    record Turn(
            String policy,
            Instant start,

            @Schema(description = "From when on requests count")
            Instant settled,

            Instant end) {
        static Turn of(SwitchbackRule.Window window) {
            return new Turn(window.policy().id(), window.start(), window.settled(), window.end());
        }
    }

    /** One of the policies. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Arm(
            String policy,

            @Schema(description = "Windows with 10 requests or more")
            int windows,

            int requests,

            @Schema(
                    description = "Median over windows of the window's median time per output token",
                    types = {"number"})
            OptionalDouble medianTpotMs,

            @Schema(description = "95 % of it by bootstrap over windows; absent for fewer than 3")
            Optional<Medians.Interval> interval) {
        static Arm of(PolicyName policy, int requests, double[] windows) {
            return new Arm(
                    policy.id(),
                    windows.length,
                    requests,
                    windows.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Medians.median(windows.clone())),
                    Medians.interval(windows, new SplittableRandom(SEED)));
        }
    }

    /** One policy in relation to the other. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Change(
            double median,

            @Schema(description = "95 % of it by bootstrap over windows; absent for fewer than 3 of either")
            Optional<Medians.Interval> interval) {
        static Change of(double[] first, double[] second) {
            return new Change(
                    Medians.change(Medians.median(first.clone()), Medians.median(second.clone())),
                    Medians.interval(first, second, new SplittableRandom(SEED)));
        }
    }
}
