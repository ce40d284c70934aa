package io.eldr.core.artifact;

import io.eldr.core.clustering.Centroids;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.ExpertPlacement;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.SignatureSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * What calibration hands to routers: how counts become a signature and which decoder slot serves which cluster.
 *
 * @param spec representation, mask and IDF
 * @param centroids one for each slot
 * @param slots the decoder slot that each cluster is bound to, distinct; {@code "0".."K-1"} where they are not yet known
 * @param recommendedTau the band width to use where the pool leaves it to the artifact, 0 or more
 * @param evidence how the artifact was fitted and how it did on requests that it had not seen
 */
public record RoutingArtifact(
        ModelIdentity model,
        SignatureSpec spec,
        Centroids centroids,
        List<String> slots,
        double recommendedTau,
        Evidence evidence) {
    /** The band width of artifacts that come without statistics: the authors' default (ELDR paper, section 5). */
    public static final double DEFAULT_TAU = 0.1;

    /** No two similarities are further apart. */
    private static final double MAX_TAU = 2;

    /** @throws InvalidInputException naming the part that does not fit the others */
    public RoutingArtifact {
        slots = List.copyOf(slots);
        if (spec.layers() != model.geometry().layers()
                || spec.experts() != model.geometry().experts()) {
            throw new InvalidInputException(
                    "spec",
                    "has shape [" + spec.layers() + ", " + spec.experts() + "] but the model has ["
                            + model.geometry().layers() + ", "
                            + model.geometry().experts() + "]");
        }
        if (centroids.dimensions() != spec.dimensions()) {
            throw new InvalidInputException(
                    "centroids",
                    "have " + centroids.dimensions() + " dimensions but mask and experts make " + spec.dimensions());
        }
        if (centroids.count() != slots.size()) {
            throw new InvalidInputException(
                    "slots", "are " + slots.size() + " but there are " + centroids.count() + " centroids");
        }
        if (new HashSet<>(slots).size() != slots.size()) {
            throw new InvalidInputException("slots", "must be distinct but are " + slots);
        }
        for (String slot : slots) {
            if (slot.isBlank()) {
                throw new InvalidInputException("slots", "must not be blank");
            }
        }
        if (!(recommendedTau >= 0 && recommendedTau <= MAX_TAU)) {
            throw new InvalidInputException(
                    "recommendedTau", "must be between 0 and " + MAX_TAU + " but is " + recommendedTau);
        }
        requireMeaning(spec);
        if (evidence.heldOut().isPresent()) {
            requireClusters(evidence.heldOut().get(), slots.size());
        }
        evidence.forecast()
                .flatMap(DecodeForecast::neighbours)
                .ifPresent(found -> requireLayersAndExperts(found, spec));
        if (evidence.decodePatterns().isPresent()) {
            requireShape(evidence.decodePatterns().get(), slots.size(), spec);
        }
    }

    /** K, the number of clusters. */
    public int clusters() {
        return slots.size();
    }

    /** The same artifact with its clusters bound to other slots, in the same order. */
    public RoutingArtifact boundTo(List<String> newSlots) {
        return new RoutingArtifact(model, spec, centroids, newSlots, recommendedTau, evidence);
    }

    /** The share of held-out requests nearest to each cluster, where it was measured. */
    public Optional<List<Double>> heldOutShares() {
        return evidence.heldOut().map(HeldOutStatistics::shares);
    }

    /**
     * Where each slot's decoder should keep its experts.
     *
     * @param ranks how many ranks share them; divides E
     * @param batch the requests in a decode step
     * @return absent where the artifact has no decode patterns, as one imported from the authors' file
     * @throws InvalidInputException naming {@code ranks} or {@code batch}
     */
    public Optional<ExpertPlacement> placement(int ranks, int batch) {
        return evidence.decodePatterns().map(patterns -> ExpertPlacement.of(slots, patterns, ranks, batch));
    }

    /** With IDF weights that are all 0 in the masked layers every signature would be zero. */
    private static void requireMeaning(SignatureSpec spec) {
        if (spec.idf().isPresent()) {
            for (int d = 0; d < spec.dimensions(); d++) {
                if (spec.idf().get().cell(spec.cellOf(d)) > 0) {
                    return;
                }
            }
            throw new InvalidInputException("idf", "must not be 0 throughout the masked layers");
        }
    }

    private static void requireClusters(HeldOutStatistics statistics, int clusters) {
        if (statistics.shares().size() != clusters) {
            throw new InvalidInputException(
                    "heldOut.shares", "are " + statistics.shares().size() + " but there are " + clusters + " clusters");
        }
    }

    private static void requireLayersAndExperts(PatternNeighbours neighbours, SignatureSpec spec) {
        if (neighbours.patterns().layers() != spec.layers()
                || neighbours.patterns().experts() != spec.experts()) {
            throw new InvalidInputException(
                    "forecast.patterns",
                    "must be of " + spec.layers() + " layers and " + spec.experts() + " experts but are "
                            + neighbours.patterns());
        }
    }

    private static void requireShape(DecodePatterns patterns, int clusters, SignatureSpec spec) {
        if (patterns.clusters() != clusters
                || patterns.layers() != spec.layers()
                || patterns.experts() != spec.experts()) {
            throw new InvalidInputException(
                    "decodePatterns",
                    "must be of " + clusters + " clusters, " + spec.layers() + " layers and " + spec.experts()
                            + " experts but are " + patterns);
        }
    }
}
