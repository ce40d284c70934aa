package io.eldr.core.calibration;

/** The steps of a fit, in order. */
public enum CalibrationStage {
    /** Samples are divided and pairs drawn. */
    SPLIT,
    /** Representations and masks are compared by rho. */
    MASK,
    /** Centroids are fitted from several seeds. */
    CLUSTER,
    /** Tau is chosen and the held-out statistics are taken. */
    MEASURE
}
