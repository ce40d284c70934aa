package io.eldr.core.cost;

import java.util.Arrays;
import java.util.Objects;

/**
 * The experts that a step loads: one bit for each expert of each layer. A batch's set is the union of its requests'. Made
 * once and cleared for each step; not for several threads.
 */
public final class ActiveExperts {
    private final int layers;
    private final int experts;
    private final int words;
    private final long[] bits;

    public ActiveExperts(int layers, int experts) {
        this.layers = layers;
        this.experts = experts;
        this.words = Math.ceilDiv(experts, Long.SIZE);
        this.bits = new long[layers * words];
    }

    public int layers() {
        return layers;
    }

    public int experts() {
        return experts;
    }

    public void clear() {
        Arrays.fill(bits, 0);
    }

    public void add(int layer, int expert) {
        Objects.checkIndex(layer, layers);
        Objects.checkIndex(expert, experts);
        bits[layer * words + (expert >> 6)] |= 1L << expert;
    }

    /** @throws IllegalArgumentException if the other set is of another shape */
    public void addAll(ActiveExperts other) {
        if (layers != other.layers || experts != other.experts) {
            throw new IllegalArgumentException("a set [" + other.layers + ", " + other.experts
                    + "] does not fit into one [" + layers + ", " + experts + "]");
        }
        for (int i = 0; i < bits.length; i++) {
            bits[i] |= other.bits[i];
        }
    }

    public boolean contains(int layer, int expert) {
        Objects.checkIndex(layer, layers);
        Objects.checkIndex(expert, experts);
        return (bits[layer * words + (expert >> 6)] & 1L << expert) != 0;
    }

    /** U_l, the distinct experts of one layer. */
    public int inLayer(int layer) {
        Objects.checkIndex(layer, layers);
        int count = 0;
        for (int i = layer * words; i < (layer + 1) * words; i++) {
            count += Long.bitCount(bits[i]);
        }
        return count;
    }

    /** The sum of U_l over all layers. */
    public int total() {
        int count = 0;
        for (long word : bits) {
            count += Long.bitCount(word);
        }
        return count;
    }

    /**
     * The sum over layers of the active experts on the layer's busiest rank, which the others wait for.
     *
     * @param rankOf which rank holds an expert: [layer][expert] numbers below {@code ranks}
     */
    public int onBusiestRanks(int[][] rankOf, int ranks) {
        if (rankOf.length != layers) {
            throw new IllegalArgumentException("the placement has " + rankOf.length + " layers instead of " + layers);
        }
        int[] load = new int[ranks];
        int sum = 0;
        for (int layer = 0; layer < layers; layer++) {
            Arrays.fill(load, 0);
            int busiest = 0;
            for (int word = 0; word < words; word++) {
                for (long rest = bits[layer * words + word]; rest != 0; rest &= rest - 1) {
                    int expert = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                    busiest = Math.max(busiest, ++load[rankOf[layer][expert]]);
                }
            }
            sum += busiest;
        }
        return sum;
    }
}
