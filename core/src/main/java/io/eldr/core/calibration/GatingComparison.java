package io.eldr.core.calibration;

import io.eldr.core.trace.GatingSums;
import io.eldr.core.trace.GatingValue;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How well signatures of gating values foretell decoding, beside those of counts (ELDR paper, section 4). For comparison
 * only: engines report counts, and no artifact is fitted on anything else.
 */
public final class GatingComparison {
    private GatingComparison() {}

    /**
     * Rho of each, with a mask of its own, on the split and the pairs that {@link Calibrator#calibrate} takes for the same
     * samples and options.
     *
     * @param sums of the trace that the samples were taken from
     * @return empty where too few samples have decode counts
     * @throws io.eldr.core.signature.InvalidInputException naming the sums' file if it has not all samples
     */
    public static Map<GatingValue, CalibrationReport.RhoFigures> of(
            List<RequestSample> samples, List<GatingSums> sums, CalibrationOptions options, Parallel parallel) {
        Map<GatingValue, CalibrationReport.RhoFigures> rho = new EnumMap<>(GatingValue.class);
        if (sums.isEmpty()) {
            return rho;
        }
        SampleSplit split = SampleSplit.stratified(samples, options.holdOut(), options.seed());
        Optional<RhoGauges> gauges = RhoGauges.over(split, options, parallel);
        if (gauges.isEmpty()) {
            return rho;
        }
        for (GatingSums each : sums) {
            RepresentationSearch search =
                    new RepresentationSearch(options.mask(), each.geometry().layers(), gauges.get());
            rho.put(each.value(), search.measure(gauge -> gauge.products(each)).figures());
        }
        return Collections.unmodifiableMap(rho);
    }
}
