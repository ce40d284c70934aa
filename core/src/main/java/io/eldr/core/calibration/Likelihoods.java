package io.eldr.core.calibration;

import io.eldr.core.clustering.Centroids;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.Signature;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * How likely what a request used while decoding was, by the patterns of the groups nearest to its prompt mixed with the
 * prompt itself.
 *
 * @param nearest how many groups are mixed
 * @param temperature of their weights {@code exp(similarity / temperature)}
 */
record Likelihoods(SignatureSpec spec, Centroids centroids, int nearest, double temperature) {
    /** No expert is foretold with less... */
    private static final double LEAST = 1e-3;
    /** ...or more. */
    private static final double MOST = 0.98;

    /**
     * The log-loss of a decode token's experts, in nats for each layer, for each share of the prompt:
     * {@code -sum(p ln q + (1-p) ln(1-q)) / L}.
     */
    double[] losses(RequestSample request, DecodePatterns patterns, Geometry geometry, double... shares) {
        double[] pattern = pattern(request, patterns);
        ExpertCounts prompt = request.prefill();
        ExpertCounts decode = request.decode().orElseThrow();
        double[] losses = new double[shares.length];
        for (int layer = 0; layer < geometry.layers(); layer++) {
            double perPrompt = (double) geometry.topK() / Math.max(1, prompt.layerSum(layer));
            double perDecode = (double) geometry.topK() / Math.max(1, decode.layerSum(layer));
            for (int cell = layer * geometry.experts(); cell < (layer + 1) * geometry.experts(); cell++) {
                double used = Math.min(1, decode.cell(cell) * perDecode);
                double own = prompt.cell(cell) * perPrompt;
                for (int i = 0; i < shares.length; i++) {
                    double q = Math.clamp(shares[i] * own + (1 - shares[i]) * pattern[cell], LEAST, MOST);
                    losses[i] -= (used * Math.log(q) + (1 - used) * Math.log1p(-q)) / geometry.layers();
                }
            }
        }
        return losses;
    }

    private double[] pattern(RequestSample request, DecodePatterns patterns) {
        Signature signature = spec.signatureOf(request.prefill());
        double[] similarities = centroids.similarities(signature);
        int[] best = IntStream.range(0, similarities.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer m) -> -similarities[m]))
                .mapToInt(m -> m)
                .limit(nearest)
                .toArray();
        double sum = 0;
        for (int m : best) {
            sum += weight(similarities, m, best[0]);
        }
        double[] pattern = new double[patterns.layers() * patterns.experts()];
        for (int m : best) {
            double weight = weight(similarities, m, best[0]) / sum;
            for (int cell = 0; cell < pattern.length; cell++) {
                pattern[cell] += weight * patterns.probability(m, cell / patterns.experts(), cell % patterns.experts());
            }
        }
        return pattern;
    }

    private double weight(double[] similarities, int group, int best) {
        return Math.exp((similarities[group] - similarities[best]) / temperature);
    }
}
