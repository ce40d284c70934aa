package io.eldr.benchmarks;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.RequestSample;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Requests of a made-up model, in topics. Every token takes k different experts in each layer, drawn from the topic's
 * preferences or from those that all topics share; how much of each differs between requests.
 */
public final class MadeUpRequests {
    private static final int DECODE_TOKENS = 64;

    private final Geometry geometry;
    private final long seed;
    /** [topic][layer][place]: an expert at each of many equally likely places. */
    private final short[][][] topics;
    /** [layer][place]. */
    private final short[][] shared;

    public MadeUpRequests(Geometry geometry, int topics, long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        this.geometry = geometry;
        this.seed = seed;
        this.shared = preferences(geometry, 1.0, random);
        this.topics = IntStream.range(0, topics)
                .mapToObj(topic -> preferences(geometry, 1.5, random))
                .toArray(short[][][]::new);
    }

    List<RequestSample> samples(int count) {
        return IntStream.range(0, count).mapToObj(this::sample).toList();
    }

    /** The prompt counts of a request, the same whenever they are asked for. */
    ExpertCounts prompt(int request) {
        return prompt(drawing(request));
    }

    /** The same with one more of everything, so that no expert is left out, as with a long prompt. */
    public ExpertCounts densePrompt(int request) {
        ExpertCounts counts = prompt(request);
        return ExpertCounts.of(
                counts.layers(),
                counts.experts(),
                Arrays.stream(counts.toArray()).map(count -> count + 1).toArray());
    }

    private RequestSample sample(int request) {
        Drawing drawing = drawing(request);
        ExpertCounts prompt = prompt(drawing);
        ExpertCounts decoded = draw(drawing, DECODE_TOKENS);
        return new RequestSample(
                "r" + request,
                "topic-" + drawing.topic(),
                drawing.tokens(),
                prompt,
                Optional.of(decoded),
                DECODE_TOKENS);
    }

    /** How a request is drawn, and with which numbers: its prompt first, then what it decodes. */
    private record Drawing(int topic, double own, int tokens, RandomGenerator random) {}

    private Drawing drawing(int request) {
        RandomGenerator random = new SplittableRandom(seed * 1_000_003 + request);
        return new Drawing(random.nextInt(topics.length), random.nextDouble(0.2, 0.8), 20 + random.nextInt(60), random);
    }

    private ExpertCounts prompt(Drawing drawing) {
        return draw(drawing, drawing.tokens());
    }

    private ExpertCounts draw(Drawing drawing, int tokens) {
        short[][] preferred = topics[drawing.topic()];
        RandomGenerator random = drawing.random();
        int experts = geometry.experts();
        int[] cells = new int[geometry.cells()];
        int[] lastToken = new int[experts];
        int ownOf256 = (int) (drawing.own() * 256);
        for (int layer = 0; layer < geometry.layers(); layer++) {
            Arrays.fill(lastToken, -1);
            for (int token = 0; token < tokens; token++) {
                for (int taken = 0; taken < geometry.topK(); ) {
                    int bits = random.nextInt();
                    short[] places = ((bits & 255) < ownOf256 ? preferred : shared)[layer];
                    int expert = places[(bits >>> 8) & (places.length - 1)];
                    if (lastToken[expert] != token) {
                        lastToken[expert] = token;
                        cells[layer * experts + expert]++;
                        taken++;
                    }
                }
            }
        }
        return ExpertCounts.of(geometry.layers(), experts, cells);
    }

    /** Log-normal preferences; every expert has at least one place. */
    private static short[][] preferences(Geometry geometry, double spread, RandomGenerator random) {
        int experts = geometry.experts();
        short[][] places = new short[geometry.layers()][4_096];
        for (short[] layer : places) {
            double[] weights = random.doubles(experts)
                    .map(x -> Math.exp(spread * random.nextGaussian()))
                    .toArray();
            double total = Arrays.stream(weights).sum();
            int place = 0;
            double sum = 0;
            for (int expert = 0; expert < experts; expert++) {
                sum += weights[expert];
                int end = Math.max(place + 1, (int) (sum / total * (layer.length - experts)) + expert + 1);
                while (place < Math.min(end, layer.length)) {
                    layer[place++] = (short) expert;
                }
            }
            while (place < layer.length) {
                layer[place++] = (short) (experts - 1);
            }
        }
        return places;
    }
}
