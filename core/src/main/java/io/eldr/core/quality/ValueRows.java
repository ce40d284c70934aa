package io.eldr.core.quality;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.SignatureSpec;
import java.util.List;

/**
 * What a representation makes of each request, before any norm: float32 [N, L*E] over all layers. Rows that are made of
 * counts are kept where they take little memory, and made anew whenever they are asked for otherwise.
 */
final class ValueRows {
    private static final long KEEP_BYTES = 256L << 20;

    private final int layers;
    private final int experts;
    private final Filling filling;
    private final float[][] kept;

    private ValueRows(int layers, int experts, float[][] kept, Filling filling) {
        this.layers = layers;
        this.experts = experts;
        this.kept = kept;
        this.filling = filling;
    }

    /** Writes the values of a request. */
    private interface Filling {
        void fill(int request, float[] row);
    }

    /** @throws InvalidInputException naming the first request with another shape than the spec's */
    static ValueRows of(SignatureSpec spec, List<ExpertCounts> requests) {
        for (int r = 0; r < requests.size(); r++) {
            ExpertCounts counts = requests.get(r);
            if (counts.layers() != spec.layers() || counts.experts() != spec.experts()) {
                throw new InvalidInputException(
                        "counts[" + r + "]",
                        "have shape [" + counts.layers() + ", " + counts.experts() + "] instead of [" + spec.layers()
                                + ", " + spec.experts() + "]");
            }
        }
        int cells = spec.layers() * spec.experts();
        Filling filling = (request, row) -> {
            ExpertCounts counts = requests.get(request);
            for (int cell = 0; cell < cells; cell++) {
                row[cell] = (float) spec.value(cell, counts.cell(cell));
            }
        };
        boolean keep = (long) requests.size() * cells * Float.BYTES <= KEEP_BYTES;
        float[][] kept = new float[keep ? requests.size() : 0][];
        for (int r = 0; r < kept.length; r++) {
            kept[r] = new float[cells];
            filling.fill(r, kept[r]);
        }
        return new ValueRows(spec.layers(), spec.experts(), kept, filling);
    }

    /**
     * Values that are there already; not copied.
     *
     * @throws InvalidInputException naming the first request without L*E values
     */
    static ValueRows of(int layers, int experts, List<float[]> values) {
        for (int r = 0; r < values.size(); r++) {
            if (values.get(r).length != layers * experts) {
                throw new InvalidInputException(
                        "values[" + r + "]", "are " + values.get(r).length + " instead of " + layers + " x " + experts);
            }
        }
        return new ValueRows(layers, experts, values.toArray(float[][]::new), (request, row) -> {});
    }

    /** L. */
    int layers() {
        return layers;
    }

    /** E. */
    int experts() {
        return experts;
    }

    /** Room for a row that is not kept. */
    float[] newBuffer() {
        return new float[kept.length == 0 ? layers * experts : 0];
    }

    /**
     * The values of a request, only to be read.
     *
     * @param buffer from {@link #newBuffer}; where rows are not kept it holds the answer until its next use
     */
    float[] row(int request, float[] buffer) {
        if (kept.length != 0) {
            return kept[request];
        }
        filling.fill(request, buffer);
        return buffer;
    }
}
