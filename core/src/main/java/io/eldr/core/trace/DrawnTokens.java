package io.eldr.core.trace;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Tokens drawn from decode counts: in each layer k distinct experts, each with probability {@code k c_e / sum(c)}, at most
 * 1 (systematic sampling). A layer where fewer than k experts were ever used gives these; an empty one gives none.
 *
 * <p>What one request's token chooses in one layer then has the right frequencies, and so has the union of a batch of
 * different requests; which experts go together in one token, or in one from layer to layer, is not kept.
 */
final class DrawnTokens implements DecodeTokens {
    private final Geometry geometry;

    DrawnTokens(Geometry geometry) {
        this.geometry = geometry;
    }

    @Override
    public TokenOrigin origin() {
        return TokenOrigin.DRAWN;
    }

    @Override
    public Optional<ExpertSets> of(RequestSample sample, int count, long seed) {
        return sample.decode().filter(decode -> !decode.isZero()).map(decode -> draw(decode, count, seed));
    }

    private ExpertSets draw(ExpertCounts decode, int count, long seed) {
        decode.requireShape("decode", geometry);
        RandomGenerator random = new SplittableRandom(seed);
        int wordsOfLayer = ExpertSets.wordsOfLayer(geometry);
        long[][] sets = new long[count][ExpertSets.words(geometry)];
        Layer layer = new Layer(geometry.experts());
        for (int l = 0; l < geometry.layers(); l++) {
            layer.read(decode, l, geometry.topK());
            layer.draw(sets, l * wordsOfLayer, random);
        }
        return new ExpertSets(sets);
    }

    /** One layer's counts, made ready to draw from. All numbers are whole, so that nothing is lost to rounding. */
    private static final class Layer {
        /** The counts of the experts that are drawn; 0 for those that every token takes or none does. */
        private final int[] drawn;

        private final boolean[] always;
        /** How many experts a token draws, and the sum of their counts. */
        private int picks;

        private long sum;

        Layer(int experts) {
            drawn = new int[experts];
            always = new boolean[experts];
        }

        void read(ExpertCounts counts, int layer, int topK) {
            picks = topK;
            sum = 0;
            for (int e = 0; e < drawn.length; e++) {
                drawn[e] = counts.count(layer, e);
                always[e] = false;
                sum += drawn[e];
            }
            boolean found = sum > 0;
            while (found) {
                found = false;
                long atLeast = sum;
                int before = picks;
                for (int e = 0; e < drawn.length; e++) {
                    if (drawn[e] > 0 && (long) drawn[e] * before >= atLeast) {
                        always[e] = true;
                        sum -= drawn[e];
                        drawn[e] = 0;
                        picks--;
                        found = true;
                    }
                }
                found &= sum > 0;
            }
        }

        /** Each token begins its even steps at another place, so that together they are closer to the counts. */
        void draw(long[][] sets, int offset, RandomGenerator random) {
            long start = sum == 0 ? 0 : random.nextLong(sum);
            for (int t = 0; t < sets.length; t++) {
                long next = sum == 0 ? Long.MAX_VALUE : (start + t * sum / sets.length) % sum;
                long passed = 0;
                for (int e = 0; e < drawn.length; e++) {
                    passed += (long) drawn[e] * picks;
                    boolean chosen = always[e];
                    if (passed > next) {
                        chosen = true;
                        next += sum;
                    }
                    if (chosen) {
                        sets[t][offset + (e >> 6)] |= 1L << e;
                    }
                }
            }
        }
    }
}
