package io.eldr.core.calibration;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.LabelMatching;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Interrupts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Binds the clusters of a new artifact to decoder slots so that a slot keeps the requests, and with them the expert
 * placement, that it had under the artifact before.
 *
 * <p>Old and new signatures need not live in the same space (a refit may choose another representation or mask), so
 * clusters are compared by the samples they share: how many are nearest to both. The matching with the largest overlap is
 * exact.
 */
public final class StableSlots {
    private StableSlots() {}

    /**
     * @param slots K slots, in the order to take where nothing speaks for another
     * @param previous the artifact whose slots should keep their clusters
     * @param samples by which clusters are compared
     * @throws InvalidInputException naming {@code slots} if there are not K
     */
    public static RoutingArtifact bind(
            RoutingArtifact fitted,
            List<String> slots,
            Optional<RoutingArtifact> previous,
            List<RequestSample> samples) {
        if (slots.size() != fitted.clusters()) {
            throw new InvalidInputException(
                    "slots", "are " + slots.size() + " but there are " + fitted.clusters() + " clusters");
        }
        if (previous.isEmpty()
                || !previous.get().model().geometry().equals(fitted.model().geometry())) {
            return fitted.boundTo(slots);
        }
        return fitted.boundTo(matched(fitted, slots, previous.get(), samples));
    }

    private static List<String> matched(
            RoutingArtifact fitted, List<String> slots, RoutingArtifact previous, List<RequestSample> samples) {
        int newCount = fitted.clusters();
        int oldCount = previous.clusters();
        double[] overlap = new double[newCount * oldCount];
        for (RequestSample sample : samples) {
            Interrupts.check();
            int newer = nearest(fitted, sample);
            int older = nearest(previous, sample);
            if (slots.contains(previous.slots().get(older))) {
                overlap[newer * oldCount + older]++;
            }
        }
        LabelMatching matching = LabelMatching.of(newCount, oldCount, overlap);
        List<String> bound = new ArrayList<>(Collections.nCopies(newCount, ""));
        Deque<String> free = new ArrayDeque<>(slots);
        for (int k = 0; k < newCount; k++) {
            if (matching.oldOf(k).isPresent()) {
                String slot = previous.slots().get(matching.oldOf(k).getAsInt());
                if (free.remove(slot)) {
                    bound.set(k, slot);
                }
            }
        }
        for (int k = 0; k < newCount; k++) {
            if (bound.get(k).isEmpty()) {
                bound.set(k, free.removeFirst());
            }
        }
        return bound;
    }

    private static int nearest(RoutingArtifact artifact, RequestSample sample) {
        double[] similarities =
                artifact.centroids().similarities(artifact.spec().signatureOf(sample.prefill()));
        int nearest = 0;
        for (int k = 1; k < similarities.length; k++) {
            nearest = similarities[k] > similarities[nearest] ? k : nearest;
        }
        return nearest;
    }
}
