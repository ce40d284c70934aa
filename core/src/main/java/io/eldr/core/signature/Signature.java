package io.eldr.core.signature;

import java.util.Arrays;

/** A request's signature: a float32 vector of length 1, or zero where its counts say nothing. */
public final class Signature {
    private final float[] values;

    /** Adopts the array. */
    Signature(float[] values) {
        this.values = values;
    }

    public int dimensions() {
        return values.length;
    }

    public float value(int dimension) {
        return values[dimension];
    }

    public boolean isZero() {
        for (float value : values) {
            if (value != 0) {
                return false;
            }
        }
        return true;
    }

    /** A copy of the values. */
    public float[] toArray() {
        return values.clone();
    }

    /** Copies the values to {@code target[offset..]}. */
    public void copyTo(float[] target, int offset) {
        System.arraycopy(values, 0, target, offset, values.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Signature that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }
}
