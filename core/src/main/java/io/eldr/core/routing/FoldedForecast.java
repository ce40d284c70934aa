package io.eldr.core.routing;

import io.eldr.core.artifact.DecodeForecast;
import io.eldr.core.artifact.PatternNeighbours;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.cost.DecoderModel;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.load.PredictedUse;
import io.eldr.core.load.UsePattern;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.SignatureSpec;
import java.util.Arrays;
import java.util.Optional;

/**
 * An artifact's {@link DecodeForecast} made ready for decisions: from a prompt's counts to the use that is expected of its
 * answer. An artifact without one, as of an earlier release, forecasts {@link DecodeForecast#UNFITTED half and half}.
 *
 * <p>Layers of one model go together, so a large one is judged by every second layer, or third, and so on, until no more
 * than {@value #MOST_CELLS} cells are left: what a decision and a reservation cost stays bounded, and half the layers route
 * as well as all (docs/adr/0016).
 */
public final class FoldedForecast {
    private static final int MOST_CELLS = 4_096;

    private final int layers;
    private final int experts;
    private final int topK;
    /** By which it is judged, evenly over the model. */
    private final int[] judged;

    private final DecoderModel model;
    private final double promptShare;
    private final FoldedCentroids groups;
    private final int nearest;
    private final double temperature;
    /** [M][L*E], scaled by 1 - promptShare. */
    private final float[][] patterns;
    /** [M]. */
    private final PredictedUse[] shared;
    /** [K]. */
    private final UsePattern[] clusters;

    private FoldedForecast(RoutingArtifact artifact, DecodePatterns ofClusters, FoldedCentroids centroids) {
        DecodeForecast forecast = artifact.evidence().forecast().orElse(DecodeForecast.UNFITTED);
        layers = artifact.spec().layers();
        experts = artifact.spec().experts();
        topK = artifact.model().geometry().topK();
        judged = judged(layers, experts);
        model = new DecoderModel(ModelConstants.scaledToQwen(layers, experts));
        promptShare = forecast.promptShare();
        clusters = new UsePattern[ofClusters.clusters()];
        for (int k = 0; k < clusters.length; k++) {
            clusters[k] = UsePattern.of(values(ofClusters, k));
        }
        Optional<PatternNeighbours> neighbours = forecast.neighbours();
        groups = neighbours
                .map(found -> FoldedCentroids.of(SignatureSpec.count(layers, experts, found.mask()), found.centroids()))
                .orElse(centroids);
        nearest = neighbours.map(PatternNeighbours::nearest).orElse(1);
        temperature = neighbours.map(PatternNeighbours::temperature).orElse(1.0);
        DecodePatterns source = neighbours.map(PatternNeighbours::patterns).orElse(ofClusters);
        patterns = new float[source.clusters()][];
        shared = new PredictedUse[source.clusters()];
        for (int m = 0; m < patterns.length; m++) {
            patterns[m] = values(source, m);
            shared[m] = PredictedUse.of(patterns[m], 0);
            for (int i = 0; i < patterns[m].length; i++) {
                patterns[m][i] *= (float) (1 - promptShare);
            }
        }
    }

    /**
     * @param centroids the artifact's, folded
     * @return empty if the artifact does not say what its clusters use while decoding, as one imported from the authors' file
     */
    static Optional<FoldedForecast> of(RoutingArtifact artifact, FoldedCentroids centroids) {
        return artifact.evidence().decodePatterns().map(patterns -> new FoldedForecast(artifact, patterns, centroids));
    }

    private static int[] judged(int layers, int experts) {
        int step = Math.ceilDiv(layers * experts, MOST_CELLS);
        int[] judged = new int[Math.max(1, layers / step)];
        for (int i = 0; i < judged.length; i++) {
            judged[i] = Math.min(layers - 1, i * step + step / 2);
        }
        return judged;
    }

    private float[] values(DecodePatterns patterns, int group) {
        float[] values = new float[judged.length * experts];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) patterns.probability(group, judged[i / experts], i % experts);
        }
        return values;
    }

    /** How many of the model's layers each layer stands for that a use is told of. */
    public double layersForOne() {
        return (double) layers / judged.length;
    }

    /**
     * A request of which it is known what it will use, as of a recording.
     *
     * @param use q, L*E values from 0 to 1
     * @param contextTokens of the prompt, 0 or more
     */
    public UsePrediction told(float[] use, int contextTokens) {
        if (use.length != layers * experts) {
            throw new IllegalArgumentException(use.length + " values instead of " + layers + " x " + experts);
        }
        float[] taken = new float[judged.length * experts];
        for (int i = 0; i < judged.length; i++) {
            System.arraycopy(use, judged[i] * experts, taken, i * experts, experts);
        }
        return UsePrediction.of(taken, PredictedUse.of(taken, contextTokens), contextTokens);
    }

    /** Whether counts have the shape [L,E] of the artifact's model. */
    public boolean accepts(ExpertCounts counts) {
        return counts.layers() == layers && counts.experts() == experts;
    }

    /** What a step of the artifact's model costs, by its shape alone. */
    public DecoderModel model() {
        return model;
    }

    /** What a request of a cluster is expected to use of which nothing else is known. */
    public UsePattern pattern(int cluster) {
        return clusters[cluster];
    }

    /** What a prompt's answer is expected to use; empty where the counts have another shape or say nothing. */
    public Optional<UsePrediction> predict(ExpertCounts counts) {
        if (!accepts(counts)) {
            return Optional.empty();
        }
        double[] similarities = new double[groups.clusters()];
        long tokens = counts.layerSum(0) / topK;
        if (!groups.similarities(counts, similarities) || tokens == 0) {
            return Optional.empty();
        }
        int[] best = best(similarities);
        float[] use = mixed(similarities, best);
        addPrompt(counts, tokens, use);
        return Optional.of(UsePrediction.of(use, shared[best[0]], (int) Math.min(tokens, Integer.MAX_VALUE)));
    }

    /** The nearest groups, nearest first. */
    private int[] best(double[] similarities) {
        int[] best = new int[nearest];
        Arrays.fill(best, -1);
        for (int m = 0; m < similarities.length; m++) {
            int at = nearest;
            while (at > 0 && (best[at - 1] < 0 || similarities[m] > similarities[best[at - 1]])) {
                at--;
            }
            if (at < nearest) {
                System.arraycopy(best, at, best, at + 1, nearest - at - 1);
                best[at] = m;
            }
        }
        return best;
    }

    private float[] mixed(double[] similarities, int[] best) {
        float[] use = new float[judged.length * experts];
        if (promptShare == 1) {
            return use;
        }
        float[] weights = new float[best.length];
        double sum = 0;
        for (int m : best) {
            sum += Math.exp((similarities[m] - similarities[best[0]]) / temperature);
        }
        for (int i = 0; i < best.length; i++) {
            weights[i] = (float) (Math.exp((similarities[best[i]] - similarities[best[0]]) / temperature) / sum);
            float weight = weights[i];
            float[] pattern = patterns[best[i]];
            for (int cell = 0; cell < use.length; cell++) {
                use[cell] += weight * pattern[cell];
            }
        }
        return use;
    }

    private void addPrompt(ExpertCounts counts, long tokens, float[] use) {
        float perCount = (float) (promptShare / tokens);
        for (int i = 0; i < judged.length; i++) {
            counts.addScaled(judged[i] * experts, experts, perCount, 1, use, i * experts);
        }
    }
}
