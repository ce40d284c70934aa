package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.GatingSums;
import io.eldr.core.trace.GatingValue;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.core.trace.TraceData;
import io.eldr.core.trace.TraceRequest;
import io.eldr.core.trace.TraceSamples;
import io.eldr.core.vector.Parallel;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntUnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On gating values that were made of the counts, so that it is known what rho must be. */
class GatingComparisonTest {
    private static final Parallel ALONE = Parallel.sequential();
    private static final int REQUESTS = 150;

    @TempDir
    private static Path folder = Path.of("");

    private static List<RequestSample> samples = List.of();
    private static List<GatingSums> sums = List.of();
    private static Optional<RoutingTrace> trace = Optional.empty();

    /** Sums of probabilities that are the counts, and logits that are all the same. */
    @BeforeAll
    static void makeUpGatingSums() throws IOException {
        RoutingTrace recorded = RoutingTrace.read(TraceData.own("calibration"));
        write(recorded, "gate_prob_sums.f16le.gz", count -> count);
        write(recorded, "gate_logit_sums.f16le.gz", count -> 7);
        sums = GatingSums.read(folder, recorded);
        samples = TraceSamples.of(recorded, new SignatureSource.Prefill())
                .samples()
                .subList(0, REQUESTS);
        trace = Optional.of(recorded);
    }

    private static void write(RoutingTrace recorded, String file, IntUnaryOperator sumOf) throws IOException {
        try (DataOutputStream out =
                new DataOutputStream(new GZIPOutputStream(Files.newOutputStream(folder.resolve(file))))) {
            for (TraceRequest request : recorded.requests()) {
                for (int count : request.prefillCounts().toArray()) {
                    out.writeShort(Short.reverseBytes(Float.floatToFloat16(sumOf.applyAsInt(count))));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "all", "1,4,6"})
    void valuesThatAreTheCountsHaveTheRhoOfTheCounts(String mask) {
        CalibrationOptions options = options(MaskChoice.parse(mask, 8), 0.2);

        Map<GatingValue, CalibrationReport.RhoFigures> rho = GatingComparison.of(samples, sums, options, ALONE);

        CalibrationReport.RhoFigures count =
                Objects.requireNonNull(calibrated(options).rho().get(Representation.COUNT));
        assertThat(count.heldOut()).isPresent();
        assertThat(rho.get(GatingValue.PROBABILITY)).isEqualTo(count);
        assertThat(rho.get(GatingValue.LOGIT))
                .as("requests that are all alike")
                .isEqualTo(new CalibrationReport.RhoFigures(OptionalDouble.empty(), OptionalDouble.empty()));
    }

    @Test
    void withNothingHeldOutOnlyTheFitIsKnown() {
        Map<GatingValue, CalibrationReport.RhoFigures> rho =
                GatingComparison.of(samples, sums, options(new MaskChoice.Auto(), 0), ALONE);
        assertThat(rho).hasEntrySatisfying(GatingValue.PROBABILITY, figures -> {
            assertThat(figures.fit()).isPresent();
            assertThat(figures.heldOut()).isEmpty();
        });
    }

    @Test
    void whereNothingIsKnownThereIsNothingToCompare() {
        CalibrationOptions options = options(new MaskChoice.All(), 0.2);
        assertThat(GatingComparison.of(samples, List.of(), options, ALONE)).isEmpty();
        assertThat(GatingComparison.of(Samples.withoutDecode(samples), sums, options, ALONE))
                .isEmpty();
    }

    private static CalibrationOptions options(MaskChoice mask, double holdOut) {
        return new CalibrationOptions(4, Optional.empty(), mask, 3, new PairChoice.Random(2_000), holdOut);
    }

    private static CalibrationReport calibrated(CalibrationOptions options) {
        RoutingTrace recorded = trace.orElseThrow();
        return new Calibrator(ALONE, System::nanoTime)
                .calibrate(
                        new ModelIdentity(recorded.model(), "", recorded.geometry()),
                        samples,
                        options,
                        DecodeTokens.recorded(recorded, new SignatureSource.Prefill()),
                        CalibrationListener.none())
                .report();
    }
}
