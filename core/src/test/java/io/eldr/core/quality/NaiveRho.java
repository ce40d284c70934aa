package io.eldr.core.quality;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;

/** Rho as its formula reads, in float64: the whole vector of every request, every distance, ranks counted one by one. */
final class NaiveRho {
    private NaiveRho() {}

    static double of(SignatureSpec spec, SyntheticRequests requests, RequestPairs pairs) {
        SignatureSpec target = SignatureSpec.count(spec.layers(), spec.experts(), LayerMask.all(spec.layers()));
        double[] signatureDistances = new double[pairs.count()];
        double[] targetDistances = new double[pairs.count()];
        for (int p = 0; p < pairs.count(); p++) {
            int i = pairs.first(p);
            int j = pairs.second(p);
            signatureDistances[p] =
                    distance(spec, requests.prefill().get(i), requests.prefill().get(j));
            targetDistances[p] = distance(
                    target, requests.decoded().get(i), requests.decoded().get(j));
        }
        return SpearmanTest.pearson(
                SpearmanTest.naiveRanks(signatureDistances), SpearmanTest.naiveRanks(targetDistances));
    }

    static SignatureSpec masked(SignatureSpec spec, LayerMask mask) {
        return new SignatureSpec(spec.layers(), spec.experts(), spec.representation(), mask, spec.idf());
    }

    private static double distance(SignatureSpec spec, ExpertCounts a, ExpertCounts b) {
        double dot = 0;
        double aSquare = 0;
        double bSquare = 0;
        for (int d = 0; d < spec.dimensions(); d++) {
            int cell = spec.cellOf(d);
            double x = spec.value(cell, a.cell(cell));
            double y = spec.value(cell, b.cell(cell));
            dot += x * y;
            aSquare += x * x;
            bSquare += y * y;
        }
        double cosine = aSquare == 0 || bSquare == 0 ? 0 : dot / Math.sqrt(aSquare * bSquare);
        // So that distances that differ by rounding alone are ties.
        return Math.rint((1 - cosine) * 1e12);
    }
}
