package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlotBindingTest {
    private static final Optional<List<Double>> UNKNOWN = Optional.empty();

    @Test
    void decodersThatTheArtifactNamesKeepTheirClusters() {
        SlotBinding binding = SlotBinding.of(List.of("b", "a"), UNKNOWN, List.of("a", "b"));

        assertThat(binding.cluster("b")).contains(new ClusterBinding(0, false));
        assertThat(binding.cluster("a")).contains(new ClusterBinding(1, false));
        assertThat(binding.missingClusters()).isEmpty();
        assertThat(binding.borrowers()).isEmpty();
    }

    @Test
    void unknownDecodersTakeOverMissingSlotsBothInTheOrderOfTheirNames() {
        SlotBinding binding = SlotBinding.of(List.of("z", "kept", "c"), UNKNOWN, List.of("new-2", "kept", "new-1"));

        assertThat(binding.cluster("kept")).contains(new ClusterBinding(1, false));
        assertThat(binding.cluster("new-1")).contains(new ClusterBinding(2, false));
        assertThat(binding.cluster("new-2")).contains(new ClusterBinding(0, false));
    }

    @Test
    void missingSlotsThatNobodyTakesOverAreSkipped() {
        SlotBinding binding = SlotBinding.of(List.of("c", "b", "a"), UNKNOWN, List.of("new"));

        assertThat(binding.cluster("new")).contains(new ClusterBinding(2, false));
        assertThat(binding.missingClusters()).containsExactly(1, 0);
        assertThat(binding.cluster("a")).isEmpty();
    }

    @Test
    void decodersLeftOverBorrowTheClustersWithTheLargestSharesOnceEachBeforeAnyTwice() {
        SlotBinding binding = SlotBinding.of(
                List.of("a", "b", "c"),
                Optional.of(List.of(0.2, 0.5, 0.3)),
                List.of("a", "b", "c", "x4", "x1", "x2", "x3"));

        assertThat(binding.cluster("x1")).contains(new ClusterBinding(1, true));
        assertThat(binding.cluster("x2")).contains(new ClusterBinding(2, true));
        assertThat(binding.cluster("x3")).contains(new ClusterBinding(0, true));
        assertThat(binding.cluster("x4")).contains(new ClusterBinding(1, true));
        assertThat(binding.borrowers()).containsExactly("x1", "x2", "x3", "x4");
    }

    @Test
    void clustersAreBorrowedInTheirOrderWhereSharesAreUnknown() {
        SlotBinding binding = SlotBinding.of(List.of("b", "a"), UNKNOWN, List.of("a", "b", "x", "y"));

        assertThat(binding.cluster("x")).contains(new ClusterBinding(0, true));
        assertThat(binding.cluster("y")).contains(new ClusterBinding(1, true));
    }

    @Test
    void missingSlotsAreTakenOverBeforeAnyIsBorrowed() {
        SlotBinding binding = SlotBinding.of(List.of("a", "b"), Optional.of(List.of(0.9, 0.1)), List.of("a", "x", "y"));

        assertThat(binding.cluster("x")).contains(new ClusterBinding(1, false));
        assertThat(binding.cluster("y")).contains(new ClusterBinding(0, true));
    }

    @Test
    void namesAreOrderedByCodePoint() {
        String last = "\uD83D\uDE00";
        SlotBinding binding = SlotBinding.of(List.of("a", "b"), UNKNOWN, List.of(last, "\uFF5E"));

        assertThat(binding.cluster("\uFF5E")).contains(new ClusterBinding(0, false));
        assertThat(binding.cluster(last)).contains(new ClusterBinding(1, false));
    }

    @Test
    void theOrderInWhichDecodersAreListedDoesNotMatter() {
        List<String> slots = List.of("a", "b", "c", "d");
        SlotBinding one = SlotBinding.of(slots, UNKNOWN, List.of("x", "c", "y", "w", "v", "u"));
        SlotBinding other = SlotBinding.of(slots, UNKNOWN, List.of("u", "v", "w", "c", "y", "x"));

        for (String slot : List.of("c", "u", "v", "w", "x", "y")) {
            assertThat(one.cluster(slot)).isPresent().isEqualTo(other.cluster(slot));
        }
    }
}
