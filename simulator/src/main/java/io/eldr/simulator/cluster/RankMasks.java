package io.eldr.simulator.cluster;

import io.eldr.core.placement.ExpertPlacement;
import io.eldr.core.signature.Geometry;

/** Which rank of a decoder holds which experts, as bits. */
final class RankMasks {
    private final int layers;
    private final int wordsOfLayer;
    /** [rank][layer * words + word]. */
    private final long[][] masks;

    private RankMasks(Geometry geometry, int ranks) {
        this.layers = geometry.layers();
        this.wordsOfLayer = Math.ceilDiv(geometry.experts(), Long.SIZE);
        this.masks = new long[ranks][layers * wordsOfLayer];
    }

    /** Rank r holds the experts from r*E/ranks on, as engines start. */
    static RankMasks contiguous(Geometry geometry, int ranks) {
        RankMasks made = new RankMasks(geometry, ranks);
        for (int layer = 0; layer < geometry.layers(); layer++) {
            for (int e = 0; e < geometry.experts(); e++) {
                made.set(e / (geometry.experts() / ranks), layer, e);
            }
        }
        return made;
    }

    static RankMasks of(Geometry geometry, ExpertPlacement placement, int decoder) {
        RankMasks made = new RankMasks(geometry, placement.ranks());
        for (int layer = 0; layer < geometry.layers(); layer++) {
            for (int position = 0; position < geometry.experts(); position++) {
                made.set(
                        position / (geometry.experts() / placement.ranks()),
                        layer,
                        placement.expertAt(decoder, layer, position));
            }
        }
        return made;
    }

    private void set(int rank, int layer, int expert) {
        masks[rank][layer * wordsOfLayer + (expert >> 6)] |= 1L << expert;
    }

    int busiest(long[] bits) {
        int sum = 0;
        for (int layer = 0; layer < layers; layer++) {
            int busiest = 0;
            for (long[] mask : masks) {
                int load = 0;
                for (int i = layer * wordsOfLayer; i < (layer + 1) * wordsOfLayer; i++) {
                    load += Long.bitCount(bits[i] & mask[i]);
                }
                busiest = Math.max(busiest, load);
            }
            sum += busiest;
        }
        return sum;
    }
}
