package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.load.LoadView;
import io.eldr.core.signature.InvalidInputException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PoolSnapshotTest {
    private static final RoutingArtifact ARTIFACT = TestPools.artifact(new double[] {1, 0}, new double[] {0, 1});
    private static final BandRule BAND = new BandRule(0.1, 2);

    @Test
    void namesTheStateThatDecisionsAreMadeOn() {
        PoolSnapshot snapshot = TestPools.snapshot(ARTIFACT, TestPools.decoders(2), 0.1, 2);

        assertThat(snapshot.version().pool()).isEqualTo("demo");
        assertThat(snapshot.version().generation()).isEqualTo(3);
        assertThat(snapshot.version().artifactVersion()).hasValue(2);
        assertThat(snapshot.cluster(1)).hasValue(1);
    }

    @Test
    void decodersKeepTheirClustersWhileOthersTakeNoRequests() {
        ActiveArtifact artifact = ActiveArtifact.of(1, ARTIFACT, List.of("decoder-0", "decoder-1"));

        PoolSnapshot snapshot =
                PoolSnapshot.of("demo", 1, Optional.of(artifact), List.of(TestPools.decoder("decoder-1")), BAND, false);

        assertThat(snapshot.cluster(0)).hasValue(1);
    }

    @Test
    void aDecoderThatTheArtifactIsNotBoundToIsRefused() {
        ActiveArtifact artifact = ActiveArtifact.of(1, ARTIFACT, List.of("decoder-0"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> PoolSnapshot.of("demo", 1, Optional.of(artifact), TestPools.decoders(2), BAND, false))
                .withMessageContaining("decoder-1");
    }

    @Test
    void twoDecodersOfOneSlotAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestPools.withoutArtifact(List.of(TestPools.decoder("a"), TestPools.decoder("a"))));
    }

    @Test
    void loadsOfAnotherNumberOfDecodersAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PoolState(
                        TestPools.withoutArtifact(TestPools.decoders(2)), LoadView.idle(3), PolicyName.JSQ.create()));
    }

    @Test
    void settingsOutOfRangeAreRefusedByName() {
        assertRefused("tau", () -> new BandRule(-0.1, 2));
        assertRefused("tau", () -> new BandRule(Double.NaN, 2));
        assertRefused("tau", () -> new BandRule(Double.POSITIVE_INFINITY, 2));
        assertRefused("minCandidates", () -> new BandRule(0.1, 0));
        assertRefused("weight", () -> TestPools.decoder("a", 0));
        assertRefused("weight", () -> TestPools.decoder("a", Double.NaN));
        assertRefused("maxInFlight", () -> TestPools.limited("a", 0));
        assertRefused("policy", () -> PolicyName.of("policy", "fastest"));
        assertThat(PolicyName.of("policy", "round-robin")).isEqualTo(PolicyName.ROUND_ROBIN);
        assertThat(TestPools.decoder("a", 2).maxInFlight()).isEqualTo(OptionalInt.empty());
    }

    private static void assertRefused(String field, ThrowingCallable call) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(call)
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo(field));
    }
}
