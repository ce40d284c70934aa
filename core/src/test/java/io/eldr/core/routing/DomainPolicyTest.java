package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.LoadView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DomainPolicyTest {
    /** code has decoder-0 and decoder-1, math decoder-2. */
    private static final RoutingArtifact LABELLED = labelled(Map.of("code", 0.7, "math", 0.3));

    private final RoutingPolicy policy = PolicyName.DOMAIN.create();

    @Test
    void theLeastLoadedOfTheLabelsDecodersIsChosen() {
        Decision.Chosen chosen = decide(LABELLED, Optional.of("code"), Set.of(), 4, 3, 0);

        assertThat(chosen.index()).isEqualTo(1);
        assertThat(chosen.reason()).isEqualTo(Reason.DOMAIN);
        assertThat(chosen.fallbacks()).extracting(Decoder::id).containsExactly("decoder-0", "decoder-2");
        assertThat(chosen.band()).isEmpty();
    }

    @Test
    void anUnknownLabelAndNoneGoToTheLeastLoadedOfAll() {
        for (Optional<String> label : List.of(Optional.of("poetry"), Optional.<String>empty())) {
            Decision.Chosen chosen = decide(LABELLED, label, Set.of(), 4, 3, 0);
            assertThat(chosen.index()).isEqualTo(2);
            assertThat(chosen.reason()).isEqualTo(Reason.JSQ);
            assertThat(chosen.policy()).isEqualTo(PolicyName.DOMAIN);
        }
    }

    @Test
    void aLabelWhoseDecodersCannotTakeItGoesToTheLeastLoadedOfAll() {
        Decision.Chosen chosen = decide(LABELLED, Optional.of("math"), Set.of("decoder-2"), 4, 3, 0);

        assertThat(chosen.index()).isEqualTo(1);
        assertThat(chosen.reason()).isEqualTo(Reason.JSQ);
    }

    @Test
    void anArtifactWithoutLabelSharesGoesByLoadAndSaysSo() {
        Decision.Chosen chosen = decide(labelled(Map.of()), Optional.of("code"), Set.of(), 4, 3, 0);

        assertThat(chosen.index()).isEqualTo(2);
        assertThat(chosen.reason()).isEqualTo(Reason.NO_LABELS);
    }

    @Test
    void withoutAnArtifactItGoesByLoad() {
        DecisionRequest request =
                new DecisionRequest(Optional.empty(), Optional.of("code"), Optional.empty(), Set.of());
        Decision decision = policy.decide(
                request,
                TestPools.withoutArtifact(TestPools.decoders(2)),
                LoadView.fixed(1, 0),
                new SplittableRandom(1));

        assertThat(decision).isInstanceOfSatisfying(Decision.Chosen.class, chosen -> {
            assertThat(chosen.index()).isEqualTo(1);
            assertThat(chosen.reason()).isEqualTo(Reason.NO_ARTIFACT);
        });
    }

    private Decision.Chosen decide(
            RoutingArtifact artifact, Optional<String> label, Set<String> exclude, int... inFlight) {
        DecisionRequest request = new DecisionRequest(Optional.empty(), label, Optional.empty(), exclude);
        PoolSnapshot snapshot = TestPools.snapshot(artifact, TestPools.decoders(inFlight.length), 0.1, 1);
        return (Decision.Chosen) policy.decide(request, snapshot, LoadView.fixed(inFlight), new SplittableRandom(1));
    }

    private static RoutingArtifact labelled(Map<String, Double> shares) {
        RoutingArtifact plain = TestPools.artifact(new double[] {1, 0}, new double[] {1, 1}, new double[] {0, 1});
        return new RoutingArtifact(
                plain.model(),
                plain.spec(),
                plain.centroids(),
                plain.slots(),
                plain.recommendedTau(),
                new Evidence(
                        0, 0, Map.of(), List.of(), List.of(), Optional.empty(), Optional.empty(), Map.of(), shares));
    }
}
