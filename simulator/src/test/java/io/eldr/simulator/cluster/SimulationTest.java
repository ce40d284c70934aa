package io.eldr.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.cost.DecoderModel;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.routing.PolicyName;
import io.eldr.simulator.testing.MadeUp;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Mix;
import io.eldr.simulator.workload.ServedRequests;
import io.eldr.simulator.workload.Workload;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {
    private static final int DOMAINS = 4;
    private static final ServedRequests SERVED = MadeUp.served(200, DOMAINS, 11);
    private static final RoutingArtifact ARTIFACT = MadeUp.artifact(4, DOMAINS, 5);
    private static final DecoderModel MODEL = new DecoderModel(MadeUp.CONSTANTS);

    private static Workload poisson(double rate, int outputTokens, int requests, long seed) {
        return Workload.of(
                SERVED,
                new Arrivals.Poisson(rate, OptionalInt.empty(), outputTokens),
                new Mix.Recorded(),
                Optional.empty(),
                requests,
                seed);
    }

    private static ClusterSettings plain() {
        return ClusterSettings.plain(4, 4, MadeUp.CONSTANTS);
    }

    private static ClusterSettings with(ModelConstants constants) {
        return ClusterSettings.plain(4, 4, constants);
    }

    private static ClusterSettings routers(int routers) {
        return new ClusterSettings(4, 4, MadeUp.CONSTANTS, 1, false, routers, 5, false, 0, List.of());
    }

    private static ClusterSettings ranks(int ranks, boolean placed) {
        return new ClusterSettings(4, 4, MadeUp.CONSTANTS, ranks, placed, 1, 1, false, 0, List.of());
    }

    private static ModelConstants limited(int maxSequences, long kvTokens) {
        ModelConstants all = MadeUp.CONSTANTS;
        return new ModelConstants(
                "limited",
                all.layers(),
                all.experts(),
                all.expertMicros(),
                all.layerExperts(),
                all.requestExperts(),
                all.stepMicros(),
                all.kvTokenMicros(),
                all.prefillMicros(),
                all.prefillTokenMicros(),
                all.handoffMicros(),
                all.handoffTokenMicros(),
                all.rankLayerMicros(),
                maxSequences,
                kvTokens);
    }

    private static RunFigures run(Workload workload, ClusterSettings settings, PolicyName policy) {
        return Simulation.run(workload, settings, ARTIFACT, OptionalDouble.empty(), policy::create, 3);
    }

    @ParameterizedTest
    @EnumSource(PolicyName.class)
    void theSameSeedGivesTheSameFiguresBitForBit(PolicyName policy) {
        RunFigures first = run(poisson(40, 50, 2_000, 7), plain(), policy);

        assertThat(run(poisson(40, 50, 2_000, 7), plain(), policy)).isEqualTo(first);
        assertThat(run(poisson(40, 50, 2_000, 8), plain(), policy)).isNotEqualTo(first);
    }

    @Test
    void aRequestAloneTakesWhatTheModelSays() {
        Workload alone = poisson(0.001, 2, 10, 1);
        RunFigures figures = run(alone, plain(), PolicyName.JSQ);
        double firstStep = MODEL.stepMillis(4 * 4, 1, MadeUp.PROMPT_TOKENS);
        double secondStep = MODEL.stepMillis(4 * 4, 1, MadeUp.PROMPT_TOKENS + 1);

        assertThat(figures.meanUnion()).isEqualTo(4);
        assertThat(figures.meanBatch()).isEqualTo(1);
        assertThat(figures.tpotMs().p50()).isCloseTo(secondStep, within(1e-6));
        assertThat(figures.ttftMs().p50())
                .isCloseTo(
                        MODEL.prefillMillis(MadeUp.PROMPT_TOKENS)
                                + MODEL.handoffMillis(MadeUp.PROMPT_TOKENS)
                                + firstStep,
                        within(1e-6));
    }

    @Test
    void theBatchIsWhatLittlesLawSays() {
        double rate = 60;
        int tokens = 200;
        RunFigures figures = run(poisson(rate, tokens, 6_000, 2), plain(), PolicyName.ROUND_ROBIN);
        double expected = rate * tokens * figures.meanStepMs() / 1e3 / 4;

        assertThat(figures.unstable()).isEmpty();
        assertThat(figures.meanBatch()).isCloseTo(expected, within(0.03 * expected));
        assertThat(figures.measured()).isEqualTo(4_200);
    }

    @Test
    void localityLoadsFewerExpertsAndStepsFaster() {
        Workload workload = poisson(60, 200, 4_000, 2);
        RunFigures roundRobin = run(workload, plain(), PolicyName.ROUND_ROBIN);
        RunFigures eldr = run(workload, plain(), PolicyName.ELDR);

        assertThat(eldr.meanUnion()).isLessThan(0.9 * roundRobin.meanUnion());
        assertThat(eldr.tpotMs().p50()).isLessThan(0.95 * roundRobin.tpotMs().p50());
        assertThat(eldr.meanBand()).isPresent();
        assertThat(eldr.spill().orElseThrow()).isBetween(0.0, 0.9);
        assertThat(roundRobin.meanBand()).isEmpty();
        assertThat(roundRobin.shares()).allSatisfy(share -> assertThat(share).isCloseTo(0.25, within(0.001)));
    }

    @Test
    void aBatchKeepsToItsLimitAndTheRestWaits() {
        Workload workload = poisson(60, 200, 3_000, 2);
        RunFigures free = run(workload, plain(), PolicyName.ROUND_ROBIN);
        RunFigures limited = run(workload, with(limited(40, 1_000_000)), PolicyName.ROUND_ROBIN);

        assertThat(free.meanBatch()).isGreaterThan(40);
        assertThat(limited.meanBatch()).isLessThanOrEqualTo(40);
        assertThat(limited.ttftMs().p50()).isGreaterThan(2 * free.ttftMs().p50());
    }

    @Test
    void contextsThatOutgrowTheBlocksAreComputedAgainAndEveryRequestIsDone() {
        Workload workload = poisson(40, 400, 1_000, 2);
        RunFigures free = run(workload, plain(), PolicyName.ROUND_ROBIN);
        RunFigures limited = run(workload, with(limited(256, 3_000)), PolicyName.ROUND_ROBIN);

        assertThat(limited.measured()).isEqualTo(free.measured());
        assertThat(limited.meanBatch() * MadeUp.PROMPT_TOKENS).isLessThan(3_000);
        assertThat(limited.tpotMs().p99()).isGreaterThan(free.tpotMs().p99());
    }

    @Test
    void theRequestsOfAFailedDecoderStartAnewElsewhere() {
        Workload workload = poisson(40, 100, 2_000, 2);
        List<Change.Timed> changes =
                List.of(new Change.Timed(20, new Change.Fail(1)), new Change.Timed(25, new Change.Return(1)));
        for (PolicyName policy : List.of(PolicyName.JSQ, PolicyName.ELDR)) {
            RunFigures figures = run(workload, plain().withChanges(changes), policy);

            assertThat(figures.measured()).isEqualTo(1_400);
            assertThat(figures.restarted()).isPositive();
            assertThat(figures.shares().get(1)).isBetween(0.05, 0.24);
        }
    }

    @Test
    void withoutAnyDecoderLeftTheRunEndsAndSaysSo() {
        Workload workload = poisson(40, 100, 500, 2);
        List<Change.Timed> changes = IntStream.range(0, 4)
                .mapToObj(i -> new Change.Timed(3, new Change.Fail(i)))
                .toList();

        assertThat(run(workload, routers(2).withChanges(changes), PolicyName.JSQ)
                        .unstable())
                .hasValueSatisfying(reason -> assertThat(reason).contains("found no decoder"));
    }

    @Test
    void aDecoderThatJoinsTakesItsPartAndOneThatLeavesFinishesWhatItHas() {
        Workload workload = poisson(40, 100, 4_000, 2);
        List<Change.Timed> changes =
                List.of(new Change.Timed(40, new Change.Add()), new Change.Timed(60, new Change.Drain(0)));
        RunFigures figures = run(workload, plain().withChanges(changes), PolicyName.ROUND_ROBIN);

        assertThat(figures.measured()).isEqualTo(2_800);
        assertThat(figures.restarted()).isZero();
        assertThat(figures.shares()).hasSize(5);
        assertThat(figures.shares().get(4)).isGreaterThan(0.1);
        assertThat(figures.shares().get(0)).isLessThan(0.2);
    }

    @Test
    void severalRoutersWithOldViewsStillBalance() {
        Workload workload = poisson(60, 100, 4_000, 2);
        RunFigures one = run(workload, plain(), PolicyName.JSQ);
        RunFigures four = run(workload, routers(4), PolicyName.JSQ);

        assertThat(one.maxOverMeanLoad()).isLessThan(1.1);
        assertThat(four.maxOverMeanLoad()).isBetween(one.maxOverMeanLoad(), 1.5);
        assertThat(four.measured()).isEqualTo(one.measured());
    }

    @Test
    void ranksShareTheExpertsAndPlacementEvensThemOut() {
        Workload workload = poisson(40, 100, 2_000, 2);
        RunFigures whole = run(workload, plain(), PolicyName.ELDR);
        RunFigures contiguous = run(workload, ranks(4, false), PolicyName.ELDR);
        RunFigures placed = run(workload, ranks(4, true), PolicyName.ELDR);

        assertThat(contiguous.meanUnion()).isBetween(whole.meanUnion() / 4, whole.meanUnion());
        assertThat(placed.meanUnion()).isLessThan(0.95 * contiguous.meanUnion());
    }

    @Test
    void aRateOverCapacityIsSaidToBe() {
        assertThat(run(poisson(60, 100, 4_000, 2), with(limited(4, 1_000_000)), PolicyName.JSQ)
                        .unstable())
                .hasValueSatisfying(reason -> assertThat(reason).contains("over capacity"));
        assertThat(run(poisson(60, 100, 4_000, 2), plain(), PolicyName.JSQ).unstable())
                .isEmpty();
    }
}
