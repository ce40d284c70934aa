package io.eldr.core.calibration;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Signature;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import io.eldr.core.vector.VectorMath;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How alike the prompts of a group are: for each request the cosine of its plain counts, over all layers, to the mean of
 * its group's. The request itself is left out of that mean, or small groups would look better than they are.
 */
final class GroupCosines {
    private GroupCosines() {}

    /** A cosine for each request; NaN for one that is in no group or alone in it. */
    static RequestValues in(
            RoutingArtifact artifact, Grouping grouping, List<RequestSample> requests, Parallel parallel) {
        int layers = artifact.spec().layers();
        SignatureSpec plain = SignatureSpec.count(layers, artifact.spec().experts(), LayerMask.all(layers));
        double[] cosines = new double[requests.size()];
        Arrays.fill(cosines, Double.NaN);
        parallel.forEach(grouping.groups(), (lane, group) -> {
            int[] members = IntStream.range(0, requests.size())
                    .filter(r -> grouping.groupOf(r) == group)
                    .toArray();
            if (members.length < 2) {
                return;
            }
            double[] sum = new double[plain.dimensions()];
            for (int r : members) {
                VectorMath.add(plain.signatureOf(requests.get(r).prefill()).toArray(), sum);
            }
            double sumSquare = Arrays.stream(sum).map(value -> value * value).sum();
            for (int r : members) {
                cosines[r] = toTheRest(plain.signatureOf(requests.get(r).prefill()), sum, sumSquare);
            }
        });
        return new RequestValues(cosines);
    }

    /** The cosine of a unit vector to {@code sum} without it: {@code (s.x - 1) / sqrt(s.s - 2 s.x + 1)}. */
    private static double toTheRest(Signature own, double[] sum, double sumSquare) {
        double dot = 0;
        for (int d = 0; d < sum.length; d++) {
            dot += sum[d] * own.value(d);
        }
        double restSquare = sumSquare - 2 * dot + 1;
        return restSquare <= 0 ? 0 : (dot - 1) / Math.sqrt(restSquare);
    }
}
