package io.eldr.simulator.report;

import io.eldr.core.quality.LayerProducts;
import io.eldr.core.quality.RequestPairs;
import io.eldr.core.quality.Rho;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/** Rho among the requests of one domain alone: whether a signature tells more than the domain. */
final class DomainRho {
    private static final int MIN_REQUESTS = 10;

    private DomainRho() {}

    /** Of plain counts over all layers; empty with few requests. */
    static OptionalDouble of(List<RequestSample> decoded, Geometry geometry, long seed, Parallel parallel) {
        if (decoded.size() < MIN_REQUESTS) {
            return OptionalDouble.empty();
        }
        RequestPairs pairs =
                RequestPairs.random(decoded.size(), RequestPairs.DEFAULT_COUNT, new SplittableRandom(seed));
        LayerMask all = LayerMask.all(geometry.layers());
        SignatureSpec count = SignatureSpec.count(geometry.layers(), geometry.experts(), all);
        List<ExpertCounts> prefill =
                decoded.stream().map(RequestSample::prefill).toList();
        List<ExpertCounts> targets =
                decoded.stream().flatMap(sample -> sample.decode().stream()).toList();
        return Rho.against(targets, pairs, parallel).of(LayerProducts.of(count, prefill, pairs, parallel), all);
    }
}
