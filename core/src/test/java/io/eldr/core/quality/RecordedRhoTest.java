package io.eldr.core.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.IdfWeights;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.RoutingTrace;
import io.eldr.core.trace.SignatureSource;
import io.eldr.core.trace.TraceData;
import io.eldr.core.trace.TraceSamples;
import io.eldr.core.vector.Parallel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Real models' routing, all requests and all pairs, against values computed independently with numpy in float64. */
class RecordedRhoTest {
    @Test
    void findsTheKnownMasksOfEsft() throws IOException {
        Optional<Path> directory = TraceData.published("esft-deepseek-v2-lite");
        assumeTrue(directory.isPresent(), "no shared/data beside the checkout; the own traces are tested instead");
        withTrace(directory.orElseThrow(), trace -> {
            assertThat(trace.rhoOfAllLayers(trace.count())).isCloseTo(0.8247, within(1e-3));
            assertThat(trace.rhoOfAllLayers(trace.countIdf())).isCloseTo(0.5936, within(1e-3));
            assertThat(trace.rhoOfAllLayers(trace.binary())).isCloseTo(0.5842, within(1e-3));

            LayerSearch count = trace.search(trace.count());
            assertThat(count.bestMask()).contains(LayerMask.of(26, 4, 9, 13));
            assertThat(count.selectRho(3)).hasValueCloseTo(0.8679, within(1e-3));
            LayerSearch countIdf = trace.search(trace.countIdf());
            assertThat(countIdf.selectRho(countIdf.bestSize().orElseThrow())).hasValueCloseTo(0.7080, within(1e-3));
        });
    }

    @Test
    void findsTheKnownMaskOfTheOwnCalibrationTrace() throws IOException {
        withTrace(TraceData.own("calibration"), trace -> {
            assertThat(trace.rhoOfAllLayers(trace.count())).isCloseTo(0.68826, within(1e-4));
            assertThat(trace.rhoOfAllLayers(trace.countIdf())).isCloseTo(0.68109, within(1e-4));
            assertThat(trace.rhoOfAllLayers(trace.binary())).isCloseTo(0.27401, within(1e-4));

            LayerSearch count = trace.search(trace.count());
            assertThat(count.bestMask()).contains(LayerMask.of(8, 4, 5, 7));
            assertThat(count.selectRho(3)).hasValueCloseTo(0.70319, within(1e-4));
        });
    }

    @Test
    void prefillAndDecodeUseTheSameExpertsInTheOwnTraces() throws IOException {
        assertThat(correlation("calibration")).isCloseTo(0.937, within(5e-4));
        // The whole serving trace, of which the repository ships the first 1,900 requests, gives 0.949.
        assertThat(correlation("serving")).isCloseTo(0.9467, within(5e-4));
    }

    private static double correlation(String split) throws IOException {
        List<RequestSample> samples = samples(RoutingTrace.read(TraceData.own(split)));
        return PrefillDecodeCorrelation.pooled(prefill(samples), decoded(samples))
                .orElseThrow();
    }

    private static List<RequestSample> samples(RoutingTrace trace) {
        return TraceSamples.of(trace, new SignatureSource.Prefill()).samples();
    }

    private static List<ExpertCounts> prefill(List<RequestSample> samples) {
        return samples.stream().map(RequestSample::prefill).toList();
    }

    private static List<ExpertCounts> decoded(List<RequestSample> samples) {
        return samples.stream().map(sample -> sample.decode().orElseThrow()).toList();
    }

    private interface Check {
        void on(Trace trace);
    }

    private static void withTrace(Path directory, Check check) throws IOException {
        RoutingTrace trace = RoutingTrace.read(directory);
        List<RequestSample> samples = samples(trace);
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            check.on(new Trace(trace.geometry(), prefill(samples), decoded(samples), Parallel.on(executor, 2)));
        }
    }

    private static final class Trace {
        private final Geometry geometry;
        private final List<ExpertCounts> prefill;
        private final Parallel parallel;
        private final RequestPairs pairs;
        private final Rho rho;

        Trace(Geometry geometry, List<ExpertCounts> prefill, List<ExpertCounts> decoded, Parallel parallel) {
            this.geometry = geometry;
            this.prefill = prefill;
            this.parallel = parallel;
            this.pairs = RequestPairs.all(prefill.size());
            this.rho = Rho.against(decoded, pairs, parallel);
        }

        SignatureSpec count() {
            return SignatureSpec.count(geometry.layers(), geometry.experts(), all());
        }

        SignatureSpec countIdf() {
            return SignatureSpec.countIdf(all(), IdfWeights.fit(geometry.layers(), geometry.experts(), prefill));
        }

        SignatureSpec binary() {
            return SignatureSpec.binary(geometry.layers(), geometry.experts(), all());
        }

        double rhoOfAllLayers(SignatureSpec spec) {
            return rho.of(LayerProducts.of(spec, prefill, pairs, parallel), all())
                    .orElseThrow();
        }

        LayerSearch search(SignatureSpec spec) {
            return GreedyLayerMask.search(rho, LayerProducts.of(spec, prefill, pairs, parallel), parallel);
        }

        private LayerMask all() {
            return LayerMask.all(geometry.layers());
        }
    }
}
