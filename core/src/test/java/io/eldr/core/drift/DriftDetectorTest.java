package io.eldr.core.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.calibration.PairChoice;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.core.trace.TraceData;
import io.eldr.core.trace.TraceSamples;
import io.eldr.core.vector.Parallel;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriftDetectorTest {
    private static final int CLUSTERS = 16;
    private static final int SAMPLES = 5_000;
    private static final int WINDOW = 2_000;
    private static final int TOPICS = 24;
    private static final int NEW_TOPICS = 6;
    private static final DriftThresholds THRESHOLDS = DriftThresholds.DEFAULT;

    /** On drifts whose size is known: 1,000 requests held out, windows of 2,000, 16 clusters. */
    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({"COUNT,1", "COUNT,2", "COUNT_IDF,3"})
    void anAlarmComesWithinFourWindowsOfADriftAndNeverWithoutOne(Representation representation, long seed) {
        Topics topics = new Topics(TOPICS + NEW_TOPICS, seed);
        double[] usual = usualMix();
        RoutingArtifact artifact = fit(Topics.MODEL, topics.samples(SAMPLES, usual), representation, CLUSTERS, seed);
        DriftBaseline baseline = DriftBaseline.of(artifact).orElseThrow();
        assertThat(baseline.requests()).isEqualTo(1_000);
        DriftDetector detector = new DriftDetector(baseline, THRESHOLDS);
        RandomGenerator random = new SplittableRandom(seed);

        Traffic same = Traffic.of(artifact, topics.requests(20_000, usual));
        for (int window = 0; window < 200; window++) {
            DriftVerdict verdict = detector.judge(same.window(WINDOW, random));
            assertThat(verdict.drifted()).as("%s", verdict).isFalse();
        }
        Traffic newContent = Traffic.of(artifact, topics.requests(6_000, withNewTopics(usual, 0.15)));
        assertThat(windowsUntilAlarm(detector, newContent, random)).isEqualTo(THRESHOLDS.windowsInRow());
        DriftVerdict unlike = detector.judge(newContent.window(WINDOW, random));
        assertThat(unlike.newContent()).as("%s", unlike).isTrue();
        assertThat(unlike.mixShift()).as("%s", unlike).isFalse();

        Traffic shifted = Traffic.of(artifact, topics.requests(6_000, shiftedMix(usual, 0.3)));
        assertThat(windowsUntilAlarm(detector, shifted, random)).isEqualTo(THRESHOLDS.windowsInRow());
        DriftVerdict mixed = detector.judge(shifted.window(WINDOW, random));
        assertThat(mixed.mixShift()).as("%s", mixed).isTrue();
        assertThat(mixed.newContent()).as("%s", mixed).isFalse();
    }

    private static int windowsUntilAlarm(DriftDetector detector, Traffic traffic, RandomGenerator random) {
        DriftState state = DriftState.CALM;
        for (int window = 1; window <= 4; window++) {
            state = state.after(detector.judge(traffic.window(WINDOW, random)), THRESHOLDS);
            if (state.alarm()) {
                return window;
            }
        }
        return Integer.MAX_VALUE;
    }

    @Test
    void recordedRequestsOfTheSameKindHaveNotDriftedButThoseOfDomainsThatWereNotFittedHave() throws IOException {
        RoutingTrace calibration = RoutingTrace.read(TraceData.own("calibration"));
        ModelIdentity model = new ModelIdentity(calibration.model(), "", calibration.geometry());
        List<RequestSample> samples = samples(calibration);
        List<RequestSample> serving = samples(RoutingTrace.read(TraceData.own("serving")));

        DriftVerdict usual = judgedBy(fit(model, samples, Representation.COUNT, 8, 1), serving);
        assertThat(usual.drifted()).as("%s", usual).isFalse();

        List<RequestSample> withoutTwo = samples.stream()
                .filter(sample -> !Set.of("python", "c").contains(sample.label()))
                .toList();
        DriftVerdict strange = judgedBy(fit(model, withoutTwo, Representation.COUNT, 8, 1), serving);
        assertThat(strange.mixShift()).as("%s", strange).isTrue();
        assertThat(strange.meanSimilarity()).isLessThan(strange.heldOutMeanSimilarity());
        assertThat(strange.hottestShare()).isGreaterThan(2 * strange.hottestHeldOutShare());
    }

    private static DriftVerdict judgedBy(RoutingArtifact artifact, List<RequestSample> serving) {
        Traffic traffic = Traffic.of(
                artifact, serving.stream().map(RequestSample::prefill).toList());
        return new DriftDetector(DriftBaseline.of(artifact).orElseThrow(), THRESHOLDS)
                .judge(traffic.window(serving.size(), new SplittableRandom(1)));
    }

    private static List<RequestSample> samples(RoutingTrace trace) {
        return TraceSamples.of(trace, new SignatureSource.Prefill()).samples();
    }

    @Test
    void theFiguresAreThoseOfTheirDefinitions() {
        DriftBaseline baseline = new DriftBaseline(100, List.of(0.75, 0.25), List.of(0, 20, 30, 50), 0.7);
        ObservationWindow window =
                new ObservationWindow(50, 10, List.of(10L, 30L), List.of(10L, 10L, 10L, 10L), 20, 4, 8);
        DriftVerdict verdict = new DriftDetector(baseline, THRESHOLDS).judge(window);
        double p = 75.5 / 101;
        double q = 10.5 / 41;
        assertThat(verdict.psi())
                .isCloseTo((q - p) * Math.log(q / p) + (p - q) * Math.log((1 - q) / (1 - p)), within(1e-12));
        assertThat(verdict.psiThreshold()).isCloseTo(4 * (0.01 + 0.025), within(1e-12));
        assertThat(verdict.ks()).isCloseTo(0.3, within(1e-12));
        assertThat(verdict.ksThreshold()).isCloseTo(Math.sqrt(Math.log(2_000) / 2 * 0.035), within(1e-12));
        assertThat(verdict.meanSimilarity()).isEqualTo(0.5);
        assertThat(verdict.mixShift()).isTrue();
        assertThat(verdict.newContent()).isFalse();
        assertThat(verdict.hottestCluster()).isEqualTo(1);
        assertThat(verdict.hottestShare()).isEqualTo(0.75);
        assertThat(verdict.hottestHeldOutShare()).isEqualTo(0.25);
        assertThat(verdict.spillRate()).isEqualTo(0.1);
        assertThat(verdict.singletonBandShare()).isEqualTo(0.2);
        assertThat(verdict.withoutSignatureShare()).isEqualTo(0.2);
    }

    @Test
    void aWindowOfAnotherArtifactIsRefusedByName() {
        DriftDetector detector =
                new DriftDetector(new DriftBaseline(100, List.of(0.75, 0.25), List.of(50, 50), 0.7), THRESHOLDS);
        assertThatThrownBy(() ->
                        detector.judge(new ObservationWindow(1, 0, List.of(1L, 0L, 0L), List.of(1L, 0L), 0.1, 0, 0)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("nearest");
        assertThatThrownBy(() -> detector.judge(new ObservationWindow(1, 0, List.of(1L, 0L), List.of(1L), 0.1, 0, 0)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("similarities");
    }

    @Test
    void withNothingHeldOutDriftCannotBeKnown() {
        List<RequestSample> samples = new Topics(4, 1).samples(100, 1, 1, 1, 1);
        RoutingArtifact artifact = new Calibrator(Parallel.sequential(), System::nanoTime)
                .calibrate(Topics.MODEL, samples, options(Representation.COUNT, 4, 1, 0), CalibrationListener.none())
                .artifact();
        assertThat(DriftBaseline.of(artifact)).isEmpty();
    }

    private static RoutingArtifact fit(
            ModelIdentity model, List<RequestSample> samples, Representation representation, int clusters, long seed) {
        return new Calibrator(Parallel.sequential(), System::nanoTime)
                .calibrate(model, samples, options(representation, clusters, seed, 0.2), CalibrationListener.none())
                .artifact();
    }

    private static CalibrationOptions options(Representation representation, int clusters, long seed, double holdOut) {
        return new CalibrationOptions(
                clusters, Optional.of(representation), new MaskChoice.All(), seed, PairChoice.DEFAULT, holdOut);
    }

    private static double[] usualMix() {
        double[] weights = IntStream.rangeClosed(1, TOPICS)
                .mapToDouble(t -> Math.pow(t, -0.7))
                .toArray();
        double total = DoubleStream.of(weights).sum();
        return DoubleStream.of(weights).map(weight -> weight / total).toArray();
    }

    /** New topics take this share of all requests, evenly. */
    private static double[] withNewTopics(double[] usual, double share) {
        return DoubleStream.concat(
                        DoubleStream.of(usual).map(weight -> weight * (1 - share)),
                        Collections.nCopies(NEW_TOPICS, share / NEW_TOPICS).stream()
                                .mapToDouble(Double::doubleValue))
                .toArray();
    }

    /** Every other topic loses, and the others gain, each in proportion; both add up to the variation. */
    private static double[] shiftedMix(double[] usual, double variation) {
        double losing = IntStream.range(0, TOPICS)
                .filter(t -> t % 2 == 0)
                .mapToDouble(t -> usual[t])
                .sum();
        return IntStream.range(0, TOPICS)
                .mapToDouble(t -> usual[t] * (t % 2 == 0 ? 1 - variation / losing : 1 + variation / (1 - losing)))
                .toArray();
    }
}
