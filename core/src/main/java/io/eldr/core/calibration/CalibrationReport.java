package io.eldr.core.calibration;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a fit saw and chose, for people.
 *
 * @param requests how many samples there were
 * @param representation the chosen one
 * @param rho of every representation, each with its own mask; a value is absent where it is undefined, as with IDF weights
 *     that are all zero
 * @param prefillDecodeCorrelation Pearson's, over the pooled expert use of both phases
 * @param mask of the chosen representation
 * @param maskOrder the order in which the greedy search added all layers; empty where the mask was given
 * @param maskCurve rho on the select requests after each of these steps
 * @param clusterSizes how many fitted requests each cluster got under the cap
 * @param objective the lowest total cosine distance of the fitted requests to the centroids under the cap
 * @param heldOut absent where nothing was held out
 * @param unionReduction on the held-out requests; absent where too few of them have known decoding
 * @param verdict whether locality routing is worth enabling
 * @param warnings what the operator should know before trusting the artifact
 */
public record CalibrationReport(
        ModelIdentity model,
        int requests,
        Representation representation,
        Map<Representation, RhoFigures> rho,
        OptionalDouble prefillDecodeCorrelation,
        LayerMask mask,
        List<Integer> maskOrder,
        List<Double> maskCurve,
        List<Integer> clusterSizes,
        double objective,
        double recommendedTau,
        Optional<HeldOutFigures> heldOut,
        Optional<UnionReduction> unionReduction,
        WorthVerdict verdict,
        List<String> warnings,
        Times times) {
    public CalibrationReport {
        rho = Map.copyOf(rho);
        maskOrder = List.copyOf(maskOrder);
        maskCurve = List.copyOf(maskCurve);
        clusterSizes = List.copyOf(clusterSizes);
        warnings = List.copyOf(warnings);
    }

    /** Rho of one representation. */
    public record RhoFigures(OptionalDouble fit, OptionalDouble heldOut) {
        /** The same for the artifact, which records only what is defined. */
        Optional<Evidence.Rho> asEvidence() {
            return fit.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Evidence.Rho(
                            fit.getAsDouble(),
                            heldOut.isEmpty() ? Optional.empty() : Optional.of(heldOut.getAsDouble())));
        }
    }

    /**
     * How the artifact does on requests it has not seen.
     *
     * @param shares of them nearest to each cluster
     * @param meanBand mean number of decoders within the recommended tau of the best, before min-candidates
     */
    public record HeldOutFigures(List<Double> shares, double meanBestSimilarity, double meanBand) {
        public HeldOutFigures {
            shares = List.copyOf(shares);
        }
    }

    /** How long it took to choose representation and mask, to cluster, and all together. */
    public record Times(Duration mask, Duration cluster, Duration total) {}

    /** This report as a JSON object, in the form that {@code ./eldr calibrate} prints. */
    public String toJson() {
        return ReportJson.write(this);
    }
}
