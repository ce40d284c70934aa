package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class CalibratorTest {
    private final Calibrator calibrator = new Calibrator(Parallel.sequential(), System::nanoTime);

    @Test
    void topicsBecomeClustersAndTheReportTellsHowWell() {
        List<RequestSample> samples = Samples.topical(600, 3, 1);
        Calibration calibration = fit(samples, CalibrationOptions.automatic(3, 1));
        CalibrationReport report = calibration.report();
        assertThat(report.requests()).isEqualTo(600);
        assertThat(report.clusterSizes()).containsExactlyInAnyOrder(120, 120, 120);
        assertThat(report.rho()).containsOnlyKeys(Representation.values());
        assertThat(rho(report, report.representation()).heldOut().orElseThrow()).isGreaterThan(0.5);
        assertThat(report.prefillDecodeCorrelation().orElseThrow()).isGreaterThan(0.3);
        assertThat(report.heldOut().orElseThrow().shares()).hasSize(3);
        assertThat(report.maskOrder()).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(report.maskCurve()).hasSize(4);
        assertThat(calibration.artifact().evidence().fittedRequests()).isEqualTo(360);
        assertThat(calibration.artifact().slots()).containsExactly("0", "1", "2");
        assertThat(calibration.test()).hasSize(120);
        assertThat(calibration.artifact().recommendedTau()).isEqualTo(report.recommendedTau());
    }

    @Test
    void theArtifactIsTheSameWhateverTheNumberOfThreads() throws Exception {
        List<RequestSample> samples = Samples.topical(300, 4, 2);
        byte[] sequential = ArtifactCodec.encode(
                fit(samples, CalibrationOptions.automatic(4, 9)).artifact());
        try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
            Calibrator parallel = new Calibrator(Parallel.on(executor, 4), System::nanoTime);
            byte[] threaded = ArtifactCodec.encode(parallel.calibrate(
                            Samples.MODEL, samples, CalibrationOptions.automatic(4, 9), CalibrationListener.none())
                    .artifact());
            assertThat(threaded).isEqualTo(sequential);
        }
    }

    @Test
    void aGivenRepresentationAndMaskAreTaken() {
        CalibrationOptions options =
                options(Optional.of(Representation.BINARY), new MaskChoice.Given(LayerMask.of(4, 1, 2)), 0.2);
        CalibrationReport report = fit(Samples.topical(200, 2, 3), options).report();
        assertThat(report.representation()).isEqualTo(Representation.BINARY);
        assertThat(report.mask()).isEqualTo(LayerMask.of(4, 1, 2));
        assertThat(report.maskOrder()).isEmpty();
        assertThat(report.rho()).containsOnlyKeys(Representation.values());
    }

    @Test
    void withNothingHeldOutNothingIsSaidAboutUnseenRequests() {
        CalibrationReport report = fit(Samples.topical(60, 2, 3), options(Optional.empty(), new MaskChoice.Auto(), 0))
                .report();
        assertThat(report.heldOut()).isEmpty();
        assertThat(report.unionReduction()).isEmpty();
        assertThat(report.verdict().reasons()).containsExactly("not known: nothing was held out to judge on");
        assertThat(report.rho().values()).allMatch(rho -> rho.heldOut().isEmpty());
        assertThat(report.clusterSizes().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(60);
    }

    @Test
    void withoutDecodeCountsTheCallerMustChoose() {
        List<RequestSample> samples = Samples.withoutDecode(Samples.topical(100, 2, 4));
        assertThatThrownBy(() -> fit(samples, CalibrationOptions.automatic(2, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("decode counts");
        assertThatThrownBy(() -> fit(samples, options(Optional.empty(), new MaskChoice.All(), 0.2)))
                .hasMessageContaining("representation");
        CalibrationReport report = fit(
                        samples, options(Optional.of(Representation.COUNT_IDF), new MaskChoice.All(), 0.2))
                .report();
        assertThat(report.rho()).isEmpty();
        assertThat(report.prefillDecodeCorrelation()).isEmpty();
        assertThat(report.warnings()).anyMatch(warning -> warning.contains("no decode counts"));
    }

    @Test
    void interruptingTheThreadEndsTheFit() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> fit(Samples.topical(100, 2, 1), CalibrationOptions.automatic(2, 1)))
                .isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void stagesAreReportedInOrder() {
        List<CalibrationStage> stages = new ArrayList<>();
        calibrator.calibrate(
                new ModelIdentity("made-up", "", Samples.GEOMETRY),
                Samples.topical(60, 2, 1),
                CalibrationOptions.automatic(2, 1),
                (stage, fraction) -> {
                    assertThat(fraction).isBetween(0.0, 1.0);
                    stages.add(stage);
                });
        assertThat(stages).isSorted().contains(CalibrationStage.values());
    }

    private Calibration fit(List<RequestSample> samples, CalibrationOptions options) {
        return calibrator.calibrate(Samples.MODEL, samples, options, CalibrationListener.none());
    }

    private static CalibrationReport.RhoFigures rho(CalibrationReport report, Representation representation) {
        return Objects.requireNonNull(report.rho().get(representation));
    }

    private static CalibrationOptions options(
            Optional<Representation> representation, MaskChoice mask, double holdOut) {
        return new CalibrationOptions(2, representation, mask, 1, PairChoice.DEFAULT, holdOut);
    }
}
