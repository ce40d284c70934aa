package io.eldr.launcher.bench;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Samples of a made-up model that cost a service what real ones do: prompts of 100 to 2,000 tokens that use some experts
 * much more than others, and 128 decoded tokens.
 */
final class MadeUpSamples {

    static final Geometry GEOMETRY = new Geometry(48, 128, 8);

    private static final int DECODED = 128;

    private final RandomGenerator random;

    MadeUpSamples(long seed) {
        random = new SplittableRandom(seed);
    }

    List<RequestSample> take(int count) {
        List<RequestSample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int tokens = random.nextInt(100, 2_000);
            samples.add(new RequestSample(
                    "request-" + i, "topic-" + i % 20, tokens, counts(tokens), Optional.of(counts(DECODED)), DECODED));
        }
        return samples;
    }

    private ExpertCounts counts(int tokens) {
        int experts = GEOMETRY.experts();
        int[] cells = new int[GEOMETRY.cells()];
        double[] weights = new double[experts];
        for (int layer = 0; layer < GEOMETRY.layers(); layer++) {
            double total = 0;
            for (int expert = 0; expert < experts; expert++) {
                weights[expert] = Math.exp(random.nextGaussian());
                total += weights[expert];
            }
            int left = tokens * GEOMETRY.topK();
            for (int expert = 0; expert < experts; expert++) {
                int share = (int) (weights[expert] / total * tokens * GEOMETRY.topK());
                cells[layer * experts + expert] = Math.min(share, tokens);
                left -= cells[layer * experts + expert];
            }
            for (int expert = random.nextInt(experts); left > 0; expert = (expert + 1) % experts) {
                if (cells[layer * experts + expert] < tokens) {
                    cells[layer * experts + expert]++;
                    left--;
                }
            }
        }
        return ExpertCounts.of(GEOMETRY.layers(), experts, cells);
    }
}
