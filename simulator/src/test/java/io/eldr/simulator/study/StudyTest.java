package io.eldr.simulator.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import io.eldr.simulator.cluster.ClusterSettings;
import io.eldr.simulator.testing.MadeUp;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Mix;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class StudyTest {
    private static final List<RequestSample> SAMPLES = MadeUp.samples(160, 4, 1);

    private static StudyPlan plan(List<PolicyName> policies, List<TauChoice> taus, List<Double> rates, int seeds) {
        return new StudyPlan(
                policies,
                taus,
                List.of(4),
                rates,
                ClusterSettings.plain(4, 4, MadeUp.CONSTANTS),
                new Arrivals.Poisson(rates.getFirst(), OptionalInt.empty(), 60),
                new Mix.Recorded(),
                Optional.empty(),
                1_000,
                seeds,
                1);
    }

    private static StudyPlan plan(PolicyName... policies) {
        return plan(List.of(policies), List.of(TauChoice.AUTO), List.of(40.0), 2);
    }

    private static FittedCases cases(List<RequestSample> samples) {
        return new FittedCases(MadeUp.MODEL, samples, MadeUp.tokens(), 0.5, MadeUp::options, MadeUp.calibrator());
    }

    private static StudyReport run(StudyPlan plan) {
        return Study.run(plan, cases(SAMPLES), Parallel.sequential(), StudyListener.none());
    }

    @Test
    void everyPolicyIsToldAgainstRoundRobinAndTheBestLoadBalancer() {
        StudyReport report = run(plan(PolicyName.ROUND_ROBIN, PolicyName.JSQ, PolicyName.RANDOM, PolicyName.ELDR));

        assertThat(report.runs())
                .extracting(PolicyRun::policy)
                .containsExactly(PolicyName.ROUND_ROBIN, PolicyName.JSQ, PolicyName.RANDOM, PolicyName.ELDR);
        PolicyRun roundRobin = report.runs().getFirst();
        PolicyRun eldr = report.runs().getLast();
        assertThat(roundRobin.vsRoundRobin().orElseThrow().p50().mean()).isZero();
        assertThat(eldr.vsRoundRobin().orElseThrow().p50().mean()).isNegative();
        assertThat(eldr.vsBestLoadBalancer().orElseThrow().p50().mean())
                .isGreaterThanOrEqualTo(eldr.vsRoundRobin().orElseThrow().p50().mean() - 1e-9);
        double byHand = 0;
        for (int seed = 0; seed < 2; seed++) {
            byHand += 50
                    * (eldr.bySeed().get(seed).tpotMs().p50()
                                    / roundRobin.bySeed().get(seed).tpotMs().p50()
                            - 1);
        }
        assertThat(eldr.vsRoundRobin().orElseThrow().p50().mean()).isCloseTo(byHand, within(1e-9));
    }

    @Test
    void roundRobinIsRunBesideTheOthersButListedOnlyWhereAskedFor() {
        StudyReport report = run(plan(PolicyName.ELDR));

        assertThat(report.runs()).extracting(PolicyRun::policy).containsExactly(PolicyName.ELDR);
        assertThat(report.runs().getFirst().vsRoundRobin()).isPresent();
    }

    @Test
    void everyTauIsARunOfItsOwnAndAutoIsTheArtifacts() {
        StudyReport report = run(plan(
                List.of(PolicyName.ELDR), List.of(TauChoice.AUTO, TauChoice.of(0), TauChoice.of(1)), List.of(40.0), 1));

        assertThat(report.runs()).hasSize(3);
        assertThat(report.runs().get(0).tau().orElseThrow())
                .isEqualTo(cases(SAMPLES).prepare(4, 1).artifact().recommendedTau());
        assertThat(report.runs().get(1).bySeed().getFirst().meanBand()).hasValue(1);
        assertThat(report.runs().get(2).bySeed().getFirst().meanBand()).hasValue(4);
    }

    @Test
    void threadsChangeNothing() {
        StudyPlan plan = plan(PolicyName.P2C, PolicyName.ELDR);
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            StudyReport parallel = Study.run(plan, cases(SAMPLES), Parallel.on(executor, 2), StudyListener.none());

            assertThat(parallel.toJson()).isEqualTo(run(plan).toJson());
        }
    }

    @Test
    void aRateOverCapacityHasAReasonAndNoFigures() {
        StudyReport report = run(plan(List.of(PolicyName.JSQ), List.of(TauChoice.AUTO), List.of(40.0, 4_000.0), 1));

        assertThat(report.runs().get(0).unstable()).isEmpty();
        assertThat(report.runs().get(1).unstable())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("4000.0 requests a second", "over the capacity of 4 prefill workers"));
        assertThat(report.toJson()).contains("\"rate\":4000.0,\"tau\":null,\"decoders\":4,\"tpotMs\":{\"p50\":null");
        assertThat(report.toTable().getLast()).contains("unstable: ");
    }

    @Test
    void theJsonHasTheFieldsThatScriptsRelyOn() {
        assertThat(run(plan(PolicyName.ELDR)).toJson())
                .contains(
                        "\"runs\":[{\"policy\":\"eldr\",\"rate\":40.0,\"tau\":",
                        "\"tpotMs\":{\"p50\":",
                        "\"ttftMs\":{\"p50\":",
                        "\"meanUnion\":",
                        "\"meanBand\":",
                        "\"spill\":",
                        "\"maxOverMeanLoad\":",
                        "\"vsRoundRobinPct\":{\"p50\":",
                        "\"p50Low\":",
                        "\"p50High\":",
                        "\"vsBestLoadBalancerPct\":{\"p50\":",
                        "\"unstable\":null");
    }

    @Test
    void requestsWithoutDecodingCannotBeServed() {
        List<RequestSample> prompts = SAMPLES.stream()
                .map(sample -> new RequestSample(
                        sample.id(), sample.label(), sample.signatureTokens(), sample.prefill(), Optional.empty(), 0))
                .toList();

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> cases(prompts).prepare(4, 1))
                .withMessageContaining("traces: none of the 80 requests to serve has decode tokens");
    }

    @Test
    void moreDecodersThanRequestsToFitAreRefused() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> cases(SAMPLES).prepare(81, 1))
                .withMessageContaining("decoders: are 81, but only 80 of 160 requests");
    }

    @Test
    void anInterruptEndsIt() {
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> run(plan(PolicyName.JSQ)));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void plansThatCannotBeAreRefusedByName() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> plan())
                .withMessageContaining("policies: must name at least one");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> plan(PolicyName.JSQ, PolicyName.JSQ))
                .withMessageContaining("policies: names one twice");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> plan(List.of(PolicyName.JSQ), List.of(TauChoice.AUTO), List.of(1.0), 0))
                .withMessageContaining("seeds: must be between 1 and 100 but is 0");
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> TauChoice.parse("-1"))
                .withMessageContaining("tau: must be auto or a number");
    }

    @Test
    void intervalsAreStudents() {
        Interval interval = Interval.of(List.of(1.0, 2.0, 3.0));

        assertThat(interval.mean()).isEqualTo(2);
        assertThat(interval.high().orElseThrow() - 2).isCloseTo(4.303 / Math.sqrt(3), within(1e-9));
        assertThat(Interval.of(List.of(5.0)).low()).isEmpty();
    }
}
