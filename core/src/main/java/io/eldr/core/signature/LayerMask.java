package io.eldr.core.signature;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** The layers whose counts make up a signature: a strictly ascending, non-empty list of layer numbers. */
public final class LayerMask {
    private final int[] layers;

    private LayerMask(int[] layers) {
        this.layers = layers;
    }

    public static LayerMask all(int layerCount) {
        return new LayerMask(IntStream.range(0, layerCount).toArray());
    }

    /**
     * A mask from layers that are already in order.
     *
     * @throws InvalidInputException if they are empty, unsorted, repeated or not below {@code layerCount}
     */
    public static LayerMask of(int layerCount, int... layers) {
        if (layers.length == 0) {
            throw new InvalidInputException("mask", "must name at least one layer");
        }
        for (int i = 0; i < layers.length; i++) {
            if (layers[i] < 0 || layers[i] >= layerCount) {
                throw new InvalidInputException(
                        "mask", "layer " + layers[i] + " is not between 0 and " + (layerCount - 1));
            }
            if (i > 0 && layers[i] <= layers[i - 1]) {
                throw new InvalidInputException(
                        "mask", "must be ascending without repeats but has " + layers[i] + " after " + layers[i - 1]);
            }
        }
        return new LayerMask(layers.clone());
    }

    /** A mask from distinct layers in any order, for example the order in which a greedy search added them. */
    public static LayerMask ofUnordered(int layerCount, int... layers) {
        int[] sorted = layers.clone();
        Arrays.sort(sorted);
        return of(layerCount, sorted);
    }

    public int size() {
        return layers.length;
    }

    /** The i-th layer in ascending order. */
    public int layer(int i) {
        return layers[i];
    }

    public int[] toArray() {
        return layers.clone();
    }

    public BitSet toBitSet() {
        BitSet set = new BitSet();
        for (int layer : layers) {
            set.set(layer);
        }
        return set;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LayerMask that && Arrays.equals(layers, that.layers);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(layers);
    }

    @Override
    public String toString() {
        return Arrays.toString(layers);
    }
}
