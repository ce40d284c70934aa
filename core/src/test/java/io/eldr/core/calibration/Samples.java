package io.eldr.core.calibration;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Made-up samples of a model with 4 layers, 12 experts and top-2, in topics that prefer their own experts. */
final class Samples {
    static final Geometry GEOMETRY = new Geometry(4, 12, 2);
    static final ModelIdentity MODEL = new ModelIdentity("made-up", "", GEOMETRY);
    static final int TOKENS = 40;

    private Samples() {}

    static List<RequestSample> topical(int count, int topics, long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        List<RequestSample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int topic = random.nextInt(topics);
            samples.add(new RequestSample(
                    "r" + i,
                    "topic-" + topic,
                    TOKENS,
                    draw(topic, topics, random),
                    Optional.of(draw(topic, topics, random)),
                    TOKENS));
        }
        return samples;
    }

    static List<RequestSample> withoutDecode(List<RequestSample> samples) {
        return samples.stream()
                .map(s -> new RequestSample(s.id(), s.label(), s.signatureTokens(), s.prefill(), Optional.empty(), 0))
                .toList();
    }

    static RequestSample counted(String id, String label, int... cells) {
        ExpertCounts counts = ExpertCounts.of(GEOMETRY.layers(), GEOMETRY.experts(), cells);
        return new RequestSample(id, label, TOKENS, counts, Optional.of(counts), TOKENS);
    }

    /** Each token takes two experts, seven times of ten out of those of its topic. */
    private static ExpertCounts draw(int topic, int topics, RandomGenerator random) {
        int experts = GEOMETRY.experts();
        int[] cells = new int[GEOMETRY.cells()];
        int own = experts / topics;
        for (int layer = 0; layer < GEOMETRY.layers(); layer++) {
            for (int token = 0; token < TOKENS; token++) {
                int first = random.nextInt(10) < 7
                        ? (topic * own + random.nextInt(own)) % experts
                        : random.nextInt(experts);
                int second = (first + 1 + random.nextInt(experts - 1)) % experts;
                cells[layer * experts + first]++;
                cells[layer * experts + second]++;
            }
        }
        return ExpertCounts.of(GEOMETRY.layers(), experts, cells);
    }
}
