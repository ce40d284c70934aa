package io.eldr.core.calibration;

/** What a candidate artifact must show before it may replace the active one. */
public enum GateRule {
    /** Batches at least as alike as the active artifact's, and no decoder that draws too much. */
    FULL,
    /** No decoder that draws too much: for refits that a changed set of decoders or another model made necessary. */
    SHARES_ONLY
}
