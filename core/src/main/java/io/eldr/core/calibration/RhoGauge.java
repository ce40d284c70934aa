package io.eldr.core.calibration;

import io.eldr.core.quality.GreedyLayerMask;
import io.eldr.core.quality.LayerProducts;
import io.eldr.core.quality.LayerSearch;
import io.eldr.core.quality.RequestPairs;
import io.eldr.core.quality.Rho;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.GatingSums;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;

/** Measures rho on one part of the samples: those of them that have decode counts, over fixed pairs. */
final class RhoGauge {
    private final List<RequestSample> samples;
    private final RequestPairs pairs;
    private final Rho rho;
    private final Parallel parallel;

    private RhoGauge(List<RequestSample> samples, RequestPairs pairs, Rho rho, Parallel parallel) {
        this.samples = samples;
        this.pairs = pairs;
        this.rho = rho;
        this.parallel = parallel;
    }

    /** Absent where fewer than two samples have decode counts. */
    static Optional<RhoGauge> over(
            List<RequestSample> samples, PairChoice choice, RandomGenerator random, Parallel parallel) {
        List<RequestSample> decoded =
                samples.stream().filter(sample -> sample.decode().isPresent()).toList();
        if (decoded.size() < 2) {
            return Optional.empty();
        }
        RequestPairs pairs = switch (choice) {
            case PairChoice.All() -> RequestPairs.all(decoded.size());
            case PairChoice.Random(int count) -> RequestPairs.random(decoded.size(), count, random);
        };
        List<ExpertCounts> targets =
                decoded.stream().flatMap(sample -> sample.decode().stream()).toList();
        return Optional.of(new RhoGauge(decoded, pairs, Rho.against(targets, pairs, parallel), parallel));
    }

    LayerProducts products(SignatureSpec spec) {
        List<ExpertCounts> prefill =
                samples.stream().map(RequestSample::prefill).toList();
        return LayerProducts.of(spec, prefill, pairs, parallel);
    }

    LayerProducts products(GatingSums sums) {
        List<float[]> values =
                samples.stream().map(sample -> sums.of(sample.id())).toList();
        return LayerProducts.ofValues(sums.geometry().layers(), sums.geometry().experts(), values, pairs, parallel);
    }

    OptionalDouble of(LayerProducts products, LayerMask mask) {
        return rho.of(products, mask);
    }

    /** The greedy order found here, with the curve that {@code select} sees. */
    LayerSearch search(LayerProducts products, RhoGauge select, LayerProducts selectProducts) {
        return GreedyLayerMask.search(rho, products, select.rho, selectProducts, parallel);
    }
}
