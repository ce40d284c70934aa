package io.eldr.core.trace;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;

/** The summed counts of one request's prompt: [layer][expert] little-endian uint16. A view on the trace's bytes. */
final class PromptCounts implements Recording {
    private final byte[] bytes;
    private final int base;
    private final Geometry geometry;

    /** Adopts the array; the request's counts begin at {@code base}. */
    PromptCounts(byte[] bytes, int base, Geometry geometry) {
        this.bytes = bytes;
        this.base = base;
        this.geometry = geometry;
    }

    @Override
    public ExpertCounts prefill(int prefillTokens) {
        int[] cells = new int[geometry.cells()];
        for (int i = 0; i < cells.length; i++) {
            int at = base + 2 * i;
            cells[i] = (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8;
        }
        return ExpertCounts.of(geometry.layers(), geometry.experts(), cells);
    }
}
