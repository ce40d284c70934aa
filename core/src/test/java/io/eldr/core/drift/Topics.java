package io.eldr.core.drift;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Made-up routing of a model with topics: every expert has a popularity that all topics share, every topic its own taste,
 * and every request a taste of its own within its topic.
 */
final class Topics {
    static final Geometry GEOMETRY = new Geometry(6, 32, 4);
    static final ModelIdentity MODEL = new ModelIdentity("made-up", "", GEOMETRY);

    private static final double POPULARITY = 0.5;
    private static final double TASTE = 1.1;
    private static final double OWN_TASTE = 0.35;
    private static final int TOKENS = 60;

    private final double[][] tastes;
    private final SplittableRandom random;

    Topics(int topics, long seed) {
        random = new SplittableRandom(seed);
        double[] popularity = new double[GEOMETRY.cells()];
        for (int cell = 0; cell < popularity.length; cell++) {
            popularity[cell] = POPULARITY * random.nextGaussian();
        }
        tastes = new double[topics][GEOMETRY.cells()];
        for (double[] taste : tastes) {
            for (int cell = 0; cell < taste.length; cell++) {
                taste[cell] = popularity[cell] + TASTE * random.nextGaussian();
            }
        }
    }

    /** Requests whose topics are drawn by weight; a topic without a weight does not occur. */
    List<ExpertCounts> requests(int count, double... weights) {
        List<ExpertCounts> requests = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            requests.add(request(drawTopic(weights)));
        }
        return requests;
    }

    /** The same as samples without decode counts. */
    List<RequestSample> samples(int count, double... weights) {
        List<RequestSample> samples = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int topic = drawTopic(weights);
            samples.add(new RequestSample("r" + i, "t" + topic, TOKENS, request(topic), Optional.empty(), 0));
        }
        return samples;
    }

    private int drawTopic(double[] weights) {
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double left = random.nextDouble() * total;
        int topic = 0;
        while (topic < weights.length - 1 && left >= weights[topic]) {
            left -= weights[topic];
            topic++;
        }
        return topic;
    }

    private ExpertCounts request(int topic) {
        int experts = GEOMETRY.experts();
        int[] cells = new int[GEOMETRY.cells()];
        double[] cumulative = new double[experts];
        for (int layer = 0; layer < GEOMETRY.layers(); layer++) {
            double total = 0;
            for (int expert = 0; expert < experts; expert++) {
                double taste = tastes[topic][layer * experts + expert] + OWN_TASTE * random.nextGaussian();
                total += Math.exp(taste);
                cumulative[expert] = total;
            }
            for (int draw = 0; draw < TOKENS * GEOMETRY.topK(); draw++) {
                double point = random.nextDouble() * total;
                int expert = 0;
                while (cumulative[expert] < point) {
                    expert++;
                }
                cells[layer * experts + expert]++;
            }
        }
        return ExpertCounts.of(GEOMETRY.layers(), experts, cells);
    }
}
