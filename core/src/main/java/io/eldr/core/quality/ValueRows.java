package io.eldr.core.quality;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.SignatureSpec;
import java.util.List;

/**
 * What a representation makes of the counts of each request, before any norm: float32 [N, L*E] over all layers. Rows are
 * kept where they take little memory, and made anew whenever they are asked for otherwise.
 */
final class ValueRows {
    private static final long KEEP_BYTES = 256L << 20;

    private final SignatureSpec spec;
    private final List<ExpertCounts> requests;
    private final int cells;
    private final float[][] kept;

    /** @throws InvalidInputException naming the first request with another shape than the spec's */
    ValueRows(SignatureSpec spec, List<ExpertCounts> requests) {
        this.spec = spec;
        this.requests = requests;
        this.cells = spec.layers() * spec.experts();
        for (int r = 0; r < requests.size(); r++) {
            ExpertCounts counts = requests.get(r);
            if (counts.layers() != spec.layers() || counts.experts() != spec.experts()) {
                throw new InvalidInputException(
                        "counts[" + r + "]",
                        "have shape [" + counts.layers() + ", " + counts.experts() + "] instead of [" + spec.layers()
                                + ", " + spec.experts() + "]");
            }
        }
        boolean keep = (long) requests.size() * cells * Float.BYTES <= KEEP_BYTES;
        this.kept = new float[keep ? requests.size() : 0][];
        for (int r = 0; r < kept.length; r++) {
            kept[r] = new float[cells];
            fill(r, kept[r]);
        }
    }

    /** Room for a row that is not kept. */
    float[] newBuffer() {
        return new float[kept.length == 0 ? cells : 0];
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
        fill(request, buffer);
        return buffer;
    }

    private void fill(int request, float[] row) {
        ExpertCounts counts = requests.get(request);
        for (int cell = 0; cell < cells; cell++) {
            row[cell] = (float) spec.value(cell, counts.cell(cell));
        }
    }
}
