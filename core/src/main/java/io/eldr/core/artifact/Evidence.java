package io.eldr.core.artifact;

import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.Representation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How an artifact came to be, and how far it can be trusted.
 *
 * @param fittedRequests how many requests the centroids were fitted on; 0 where it is not known
 * @param seed the seed of the fit
 * @param rho rank correlation between signature and decode distances, for each representation that was tried
 * @param maskOrder the layers in the order the greedy search added them; empty where no search was made
 * @param maskCurve rho on the selection requests after each of these steps, NaN where it is undefined
 * @param heldOut absent where nothing was held out
 * @param decodePatterns what each cluster's requests used while decoding; absent where it was not kept
 * @param foreign fields of an imported file that mean nothing here, by name with their JSON text; kept for export
 * @param labelShares the share of each label among the labelled requests of the fit, 0 to 1; empty where none had one
 * @param forecast how to tell from a prompt what its answer will use; absent where it was not fitted
 */
public record Evidence(
        int fittedRequests,
        long seed,
        Map<Representation, Rho> rho,
        List<Integer> maskOrder,
        List<Double> maskCurve,
        Optional<HeldOutStatistics> heldOut,
        Optional<DecodePatterns> decodePatterns,
        Map<String, String> foreign,
        Map<String, Double> labelShares,
        Optional<DecodeForecast> forecast) {
    /** Nothing is known, as of an imported file without statistics. */
    public static final Evidence NONE = new Evidence(0, 0, Map.of(), List.of(), List.of(), Optional.empty(), Map.of());

    /** Without decode patterns and labels. */
    public Evidence(
            int fittedRequests,
            long seed,
            Map<Representation, Rho> rho,
            List<Integer> maskOrder,
            List<Double> maskCurve,
            Optional<HeldOutStatistics> heldOut,
            Map<String, String> foreign) {
        this(fittedRequests, seed, rho, maskOrder, maskCurve, heldOut, Optional.empty(), foreign, Map.of());
    }

    /** Without a forecast. */
    public Evidence(
            int fittedRequests,
            long seed,
            Map<Representation, Rho> rho,
            List<Integer> maskOrder,
            List<Double> maskCurve,
            Optional<HeldOutStatistics> heldOut,
            Optional<DecodePatterns> decodePatterns,
            Map<String, String> foreign,
            Map<String, Double> labelShares) {
        this(
                fittedRequests,
                seed,
                rho,
                maskOrder,
                maskCurve,
                heldOut,
                decodePatterns,
                foreign,
                labelShares,
                Optional.empty());
    }

    public Evidence {
        rho = Map.copyOf(rho);
        maskOrder = List.copyOf(maskOrder);
        maskCurve = List.copyOf(maskCurve);
        foreign = Map.copyOf(foreign);
        labelShares = Map.copyOf(labelShares);
        labelShares.values().forEach(Evidence::requireShare);
        if (fittedRequests < 0) {
            throw new InvalidInputException("fittedRequests", "must not be negative but is " + fittedRequests);
        }
        if (maskOrder.size() != maskCurve.size()) {
            throw new InvalidInputException("maskCurve", "must have a value for each step of maskOrder");
        }
    }

    private static void requireShare(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new InvalidInputException("labelShares", "must lie in [0, 1] but has " + share);
        }
    }

    /**
     * @param fit on the requests that representation and mask were fitted on
     * @param heldOut on requests not used before; absent where nothing was held out
     */
    public record Rho(double fit, Optional<Double> heldOut) {}
}
