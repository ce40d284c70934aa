package io.eldr.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The traces that calibration and evaluation run on. */
class RecordedTracesTest {
    @Test
    void readsTheOwnCalibrationTrace() throws IOException {
        RoutingTrace trace = RoutingTrace.read(TraceData.own("calibration"));

        assertThat(trace.geometry()).isEqualTo(new Geometry(8, 64, 4));
        assertThat(trace.requests()).hasSize(1_000);
        assertThat(trace.requests())
                .extracting(TraceRequest::id)
                .startsWith("cal-0000")
                .endsWith("cal-0999");
        assertThat(trace.requests().stream()
                        .mapToInt(TraceRequest::prefillTokens)
                        .sum())
                .isEqualTo(83_486);
        assertThat(trace.requests().stream()
                        .mapToInt(TraceRequest::decodeTokens)
                        .sum())
                .isEqualTo(96_000);

        TraceSamples samples = TraceSamples.of(trace, new SignatureSource.Prefill());
        assertThat(samples.skipped()).isZero();
        assertThat(samples.samples()).hasSize(1_000).allSatisfy(sample -> {
            sample.prefill().requireRowSums(sample.id(), sample.signatureTokens(), 4);
            sample.decode().orElseThrow().requireRowSums(sample.id(), sample.decodeTokens(), 4);
        });
    }

    @Test
    void readsTheOwnServingTrace() throws IOException {
        RoutingTrace trace = RoutingTrace.read(TraceData.own("serving"));

        assertThat(trace.requests()).hasSize(1_900);
        assertThat(trace.requests().stream()
                        .mapToInt(TraceRequest::prefillTokens)
                        .sum())
                .isEqualTo(164_848);
    }

    @Test
    void readsEsft() throws IOException {
        RoutingTrace trace = RoutingTrace.read(published("esft-deepseek-v2-lite"));

        assertThat(trace.geometry()).isEqualTo(new Geometry(26, 64, 6));
        assertThat(trace.requests()).hasSize(213);
        assertThat(trace.requests())
                .extracting(TraceRequest::domain)
                .containsOnly("intent", "law", "summary", "translation");
        assertThat(TraceSamples.of(trace, new SignatureSource.Prefill()).samples())
                .hasSize(213);
    }

    @Test
    void readsGptOssWhoseDecodeTokensStandInForItsPrompts() throws IOException {
        RoutingTrace trace = RoutingTrace.read(published("gpt-oss-20b-decode"));

        assertThat(trace.geometry()).isEqualTo(new Geometry(24, 32, 4));
        assertThat(trace.requests()).hasSize(703);
        TraceSamples samples = TraceSamples.of(trace, SignatureSource.parse("decode:48"));
        assertThat(samples.samples()).hasSize(540).allSatisfy(sample -> {
            sample.prefill().requireRowSums(sample.id(), 48, 4);
            sample.decode().orElseThrow().requireRowSums(sample.id(), sample.decodeTokens(), 4);
        });
        assertThat(samples.skipped()).isEqualTo(163);
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> TraceSamples.of(trace, new SignatureSource.Prefill()))
                .withMessageContaining("use --signature-from decode:n");
    }

    @Test
    void readsMixtralsPromptCounts() throws IOException {
        RoutingTrace trace = RoutingTrace.read(published("mixtral-8x7b-mmlu-prefill-counts"));

        assertThat(trace.geometry()).isEqualTo(new Geometry(32, 8, 2));
        assertThat(trace.requests()).hasSize(5_700);
        assertThat(trace.requests()).allMatch(request -> request.tokenExperts().isEmpty());
        assertThat(TraceSamples.of(trace, new SignatureSource.Prefill()).samples())
                .hasSize(5_700)
                .allMatch(sample -> sample.decode().isEmpty() && sample.decodeTokens() == 0);
    }

    private static Path published(String name) {
        Optional<Path> trace = TraceData.published(name);
        assumeTrue(
                trace.isPresent(), "published traces are not part of the repository: no shared/data/routing/" + name);
        return trace.orElseThrow();
    }
}
