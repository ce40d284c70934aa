package io.eldr.core.calibration;

import io.eldr.core.signature.SignatureSpec;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One representation with its mask, and how well its signatures foretell decoding.
 *
 * @param maskOrder the greedy order; empty where the mask was given
 * @param maskCurve rho on select after each step of the order, NaN where undefined
 * @param selectRho what representations are compared by
 */
record MaskedRepresentation(
        SignatureSpec spec,
        List<Integer> maskOrder,
        List<Double> maskCurve,
        OptionalDouble selectRho,
        CalibrationReport.RhoFigures figures) {
    MaskedRepresentation {
        maskOrder = List.copyOf(maskOrder);
        maskCurve = List.copyOf(maskCurve);
    }
}
