package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StableSlotsTest {
    private static final List<String> SLOTS = List.of("decoder-0", "decoder-1", "decoder-2");
    private final List<RequestSample> samples = Samples.topical(300, 3, 1);

    @Test
    void aSlotKeepsItsTopicEvenWhenRepresentationAndSeedChange() {
        RoutingArtifact first = StableSlots.bind(fit(3, 1, Representation.COUNT), SLOTS, Optional.empty(), samples);
        Map<String, String> before = slotOfTopic(first);
        assertThat(before).hasSize(3);
        for (long seed = 2; seed <= 8; seed++) {
            RoutingArtifact next =
                    StableSlots.bind(fit(3, seed, Representation.COUNT_IDF), SLOTS, Optional.of(first), samples);
            assertThat(slotOfTopic(next)).as("seed %d", seed).isEqualTo(before);
        }
    }

    @Test
    void newSlotsTakeWhatIsLeftWhenDecodersAreAdded() {
        RoutingArtifact first = StableSlots.bind(
                fit(2, 1, Representation.COUNT), List.of("decoder-0", "decoder-1"), Optional.empty(), samples);
        RoutingArtifact grown = StableSlots.bind(fit(3, 1, Representation.COUNT), SLOTS, Optional.of(first), samples);
        assertThat(grown.slots()).containsExactlyInAnyOrderElementsOf(SLOTS);
    }

    @Test
    void slotsThatAreGoneAreNotBound() {
        RoutingArtifact first = StableSlots.bind(
                fit(3, 1, Representation.COUNT), List.of("gone", "decoder-0", "decoder-1"), Optional.empty(), samples);
        RoutingArtifact next = StableSlots.bind(fit(3, 2, Representation.COUNT), SLOTS, Optional.of(first), samples);
        assertThat(next.slots()).containsExactlyInAnyOrderElementsOf(SLOTS);
        Map<String, String> before = slotOfTopic(first);
        Map<String, String> after = slotOfTopic(next);
        before.values().removeIf("gone"::equals);
        assertThat(after).containsAllEntriesOf(before);
    }

    @Test
    void asManySlotsAsClustersAreNeeded() {
        assertThatThrownBy(() -> StableSlots.bind(fit(2, 1, Representation.COUNT), SLOTS, Optional.empty(), samples))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("slots");
    }

    private RoutingArtifact fit(int clusters, long seed, Representation representation) {
        CalibrationOptions options = new CalibrationOptions(
                clusters, Optional.of(representation), new MaskChoice.All(), seed, PairChoice.DEFAULT, 0);
        return new Calibrator(Parallel.sequential(), System::nanoTime)
                .calibrate(Samples.MODEL, samples, options, CalibrationListener.none())
                .artifact();
    }

    /** The slot that most requests of each topic are nearest to. */
    private Map<String, String> slotOfTopic(RoutingArtifact artifact) {
        Map<String, Map<String, Integer>> votes = new HashMap<>();
        for (RequestSample sample : samples) {
            int nearest = 0;
            var signature = artifact.spec().signatureOf(sample.prefill());
            for (int k = 1; k < artifact.clusters(); k++) {
                if (artifact.centroids().similarity(k, signature)
                        > artifact.centroids().similarity(nearest, signature)) {
                    nearest = k;
                }
            }
            votes.computeIfAbsent(sample.label(), label -> new HashMap<>())
                    .merge(artifact.slots().get(nearest), 1, Integer::sum);
        }
        Map<String, String> slots = new HashMap<>();
        votes.forEach((label, bySlot) -> slots.put(
                label,
                bySlot.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .orElseThrow()
                        .getKey()));
        return slots;
    }
}
