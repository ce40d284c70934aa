package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.placement.PatternBasis;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever samples come in, the outcome is clear: an artifact that loads, with warnings, or a refusal by name. */
class BadSamplesTest {
    private final Calibrator calibrator = new Calibrator(Parallel.sequential(), System::nanoTime);

    @Test
    void noSamplesAreRefused() {
        assertThatThrownBy(() -> fit(List.of(), CalibrationOptions.automatic(2, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("samples: there are none");
    }

    @Test
    void fewerSamplesThanDecodersAreRefusedByName() {
        assertThatThrownBy(() -> fit(Samples.topical(3, 2, 1), CalibrationOptions.automatic(4, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("samples: are 3 but there are 4 clusters: at least one sample for each is needed");
    }

    @ParameterizedTest(name = "{0} samples for {1} decoders")
    @CsvSource({"4, 4, 0.00", "5, 4, 0.10", "20, 13, 0.17"})
    void aHoldOutThatLeavesTooFewSamplesIsRefusedWithOneThatDoesNot(int count, int decoders, String most) {
        List<RequestSample> samples = Samples.topical(count, 2, 5);
        assertThatThrownBy(() -> fit(samples, CalibrationOptions.automatic(decoders, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("holdOut: of 0.2 keeps all but")
                .hasMessageContaining("give at most " + most);
        Calibration calibration = fit(samples, options(decoders, new MaskChoice.Auto(), Double.parseDouble(most)));
        assertThat(calibration.report().clusterSizes()).hasSize(decoders);
        assertThat(calibration.report().verdict().worthEnabling()).isNotEqualTo(Optional.of(true));
    }

    @Test
    void fewSamplesPerDecoderAreWarnedOf() {
        assertThat(warnings(Samples.topical(100, 2, 1))).anyMatch(text -> text.contains("fewer than 150 each"));
        assertThat(warnings(Samples.topical(1_000, 2, 1))).noneMatch(text -> text.contains("fewer than 150 each"));
    }

    @Test
    void oneDomainIsWarnedOf() {
        assertThat(warnings(Samples.topical(300, 1, 1)))
                .anyMatch(text -> text.startsWith("all samples are of one domain, 'topic-0'"));
        assertThat(warnings(Samples.topical(300, 2, 1))).noneMatch(text -> text.startsWith("all samples are of one"));
    }

    @Test
    void identicalSamplesGiveAnArtifactThatIsNotWorthEnabling() {
        List<RequestSample> samples = made(60, (i, cell) -> 1);
        Calibration calibration = fit(samples, CalibrationOptions.automatic(3, 1));
        assertThat(calibration.report().warnings())
                .anyMatch(text -> text.startsWith("rho is undefined"))
                .anyMatch(text -> text.startsWith("all fitted samples have the same signature"));
        assertThat(calibration.report().verdict().worthEnabling()).contains(false);
        assertThat(calibration.report().verdict().reasons())
                .anyMatch(text -> text.startsWith("locality routing is not worth enabling for this pool: held-out"));
        assertLoads(calibration);
    }

    @Test
    void layersThatCountNothingAreNamedAndNotInTheWay() {
        List<RequestSample> samples = Samples.topical(300, 2, 1).stream()
                .map(sample -> changed(sample, (cell, count) -> cell / 12 == 2 ? 0 : count))
                .toList();
        Calibration calibration = fit(samples, CalibrationOptions.automatic(2, 1));
        assertThat(calibration.report().warnings())
                .anyMatch(text -> text.equals("no fitted sample counts anything in layers [2]: they say nothing"));
        assertLoads(calibration);
    }

    @Test
    void samplesWithoutAnyCountAreRefused() {
        List<RequestSample> samples = made(40, (i, cell) -> 0);
        assertThatThrownBy(() -> fit(samples, CalibrationOptions.automatic(2, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("samples: give no signature");
    }

    @Test
    void aMaskOfSilentLayersIsRefused() {
        List<RequestSample> samples = made(40, (i, cell) -> cell / 12 == 2 ? 0 : 1 + i % 3);
        assertThatThrownBy(() ->
                        fit(samples, options(2, new MaskChoice.Given(LayerMask.of(4, 2)), 0.2, Representation.COUNT)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("mask: gives no sample a signature: layers [2] say nothing");
    }

    @Test
    void expertsThatAreNeverUsedDoNotMatter() {
        List<RequestSample> samples = Samples.topical(300, 2, 3).stream()
                .map(sample -> changed(sample, (cell, count) -> cell % 12 < 3 ? 0 : count))
                .toList();
        Calibration calibration = fit(samples, CalibrationOptions.automatic(2, 1));
        assertThat(rho(calibration, Representation.COUNT_IDF).fit()).isPresent();
        assertLoads(calibration);
    }

    @Test
    void whereEveryExpertIsAlwaysUsedIdfIsVoidAndNeverChosen() {
        List<RequestSample> samples = made(60, (i, cell) -> 5 + (cell == i % 48 ? 3 + i : 0));
        Calibration calibration = fit(samples, CalibrationOptions.automatic(2, 1));
        assertThat(calibration.report().representation()).isNotEqualTo(Representation.COUNT_IDF);
        assertThat(rho(calibration, Representation.COUNT_IDF).fit()).isEmpty();
        assertThat(calibration.report().warnings()).anyMatch(text -> text.startsWith("count_idf is void"));
        assertThatThrownBy(() -> fit(samples, options(2, new MaskChoice.All(), 0.2, Representation.COUNT_IDF)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("representation: count_idf is void");
        assertLoads(calibration);
    }

    @Test
    void samplesOfMixedGeometriesAreRefusedByTheOddOnesId() {
        List<RequestSample> samples = new ArrayList<>(Samples.topical(10, 2, 1));
        samples.add(new RequestSample("odd", "", 1, ExpertCounts.zero(4, 13), Optional.empty(), 0));
        assertThatThrownBy(() -> fit(samples, CalibrationOptions.automatic(2, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("samples[odd].prefill: has shape [4, 13]");
    }

    @Test
    void withoutDecodeCountsTheVerdictIsUnknownAndPatternsComeFromPrompts() {
        List<RequestSample> samples = Samples.withoutDecode(Samples.topical(300, 2, 1));
        Calibration calibration = fit(samples, options(2, new MaskChoice.All(), 0.2, Representation.COUNT));
        assertThat(calibration.report().verdict().worthEnabling()).isEmpty();
        assertThat(calibration.report().verdict().reasons())
                .containsExactly("not known: 0 of the 60 held-out requests have decode counts");
        assertThat(calibration.report().unionReduction()).isEmpty();
        assertThat(calibration.report().toJson())
                .contains("\"unionReduction\":null,\"verdict\":{\"worthEnabling\":null,\"reasons\":[\"not known: 0 of");
        assertThat(calibration
                        .artifact()
                        .evidence()
                        .decodePatterns()
                        .orElseThrow()
                        .bases())
                .containsOnly(PatternBasis.PROMPT);
    }

    private static void assertLoads(Calibration calibration) {
        assertThat(ArtifactCodec.decode(ArtifactCodec.encode(calibration.artifact())))
                .isEqualTo(calibration.artifact());
    }

    private List<String> warnings(List<RequestSample> samples) {
        return fit(samples, options(2, new MaskChoice.All(), 0.2)).report().warnings();
    }

    private Calibration fit(List<RequestSample> samples, CalibrationOptions options) {
        return calibrator.calibrate(Samples.MODEL, samples, options, CalibrationListener.none());
    }

    private static CalibrationReport.RhoFigures rho(Calibration calibration, Representation representation) {
        return Objects.requireNonNull(calibration.report().rho().get(representation));
    }

    private static CalibrationOptions options(int clusters, MaskChoice mask, double holdOut) {
        return new CalibrationOptions(clusters, Optional.empty(), mask, 1, PairChoice.DEFAULT, holdOut);
    }

    private static CalibrationOptions options(
            int clusters, MaskChoice mask, double holdOut, Representation representation) {
        return new CalibrationOptions(clusters, Optional.of(representation), mask, 1, PairChoice.DEFAULT, holdOut);
    }

    /** The count of a cell of the i-th sample. */
    @FunctionalInterface
    private interface Filling {
        int count(int sample, int cell);
    }

    private static List<RequestSample> made(int count, Filling filling) {
        List<RequestSample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            int[] cells = new int[Samples.GEOMETRY.cells()];
            Arrays.setAll(cells, cell -> filling.count(number, cell));
            samples.add(Samples.counted("r" + i, "", cells));
        }
        return samples;
    }

    /** What becomes of the count of a cell. */
    @FunctionalInterface
    private interface Change {
        int changed(int cell, int count);
    }

    private static RequestSample changed(RequestSample sample, Change change) {
        IntUnaryOperator of = cell -> change.changed(cell, sample.prefill().cell(cell));
        int[] cells = new int[sample.prefill().size()];
        Arrays.setAll(cells, of);
        ExpertCounts counts = ExpertCounts.of(4, 12, cells);
        return new RequestSample(
                sample.id(), sample.label(), sample.signatureTokens(), counts, sample.decode(), sample.decodeTokens());
    }
}
