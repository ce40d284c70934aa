package io.eldr.router.discovery;

import static io.eldr.router.discovery.FollowedCluster.BOUND;
import static io.eldr.router.discovery.FollowedCluster.SELDOM;
import static io.eldr.router.discovery.FollowedCluster.change;
import static io.eldr.router.discovery.FollowedCluster.picked;
import static io.eldr.router.discovery.FollowedCluster.slices;
import static io.eldr.router.discovery.FollowedCluster.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.discovery.KubernetesProperties.KubernetesPool;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.pool.Pool;
import io.eldr.router.worker.WorkerState;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pods come and go in a cluster. */
class PodsOfAClusterTest {

    @Test
    void podsComeAndGoAndNoneThatLeftIsPickedWithinASecond() {
        try (FollowedCluster cluster = FollowedCluster.keeping();
                KubernetesClient client = cluster.server().createClient()) {
            slices(client).resource(Slices.ready("decode-0")).create();
            Pool pool = cluster.follow(SELDOM);
            await().until(() -> picked(pool).equals(Set.of("decode-0")));
            slices(client).resource(Slices.ready("decode-1")).create();
            await().until(() -> picked(pool).equals(Set.of("decode-0", "decode-1")));

            slices(client).withName("slice-of-decode-0").delete();
            await().atMost(BOUND).until(() -> picked(pool).equals(Set.of("decode-1")));
            slices(client)
                    .resource(Slices.slice("slice-of-decode-2", "decode-2", false, false))
                    .create();
            await().until(() -> state(pool, "decode-2").equals(Optional.of(WorkerState.PENDING)));
            change(client, "slice-of-decode-2", Slices.slice("slice-of-decode-2", "decode-2", true, false));
            await().until(() -> picked(pool).equals(Set.of("decode-1", "decode-2")));

            change(client, "slice-of-decode-1", Slices.slice("slice-of-decode-1", "decode-1", false, false));
            await().atMost(BOUND).until(() -> picked(pool).equals(Set.of("decode-2")));
            assertThat(state(pool, "decode-1")).contains(WorkerState.PENDING);
            change(client, "slice-of-decode-2", Slices.slice("slice-of-decode-2", "decode-2", true, true));
            await().atMost(BOUND).until(() -> picked(pool).isEmpty());
            assertThat(state(pool, "decode-2")).contains(WorkerState.DRAINING);
        }
    }

    @Test
    void aPodWhoseLabelNoLongerMatchesIsNotPicked() {
        try (FollowedCluster cluster = FollowedCluster.keeping();
                KubernetesClient client = cluster.server().createClient()) {
            slices(client).resource(Slices.ready("decode-0")).create();
            Pool pool = cluster.follow(SELDOM);
            await().until(() -> picked(pool).equals(Set.of("decode-0")));
            slices(client)
                    .withName("slice-of-decode-0")
                    .edit(slice -> new EndpointSliceBuilder(slice)
                            .editMetadata()
                            .addToLabels(Slices.LABEL, "another")
                            .endMetadata()
                            .build());
            await().atMost(BOUND).until(() -> picked(pool).isEmpty());
        }
    }

    @Test
    void aPodThatIsMadeAgainUnderItsNameIsAnotherIncarnationOfItsSlot() {
        try (FollowedCluster cluster = FollowedCluster.keeping();
                KubernetesClient client = cluster.server().createClient()) {
            slices(client).resource(Slices.ready("decode-0")).create();
            Pool pool = cluster.follow(SELDOM);
            await().until(() -> picked(pool).equals(Set.of("decode-0")));
            change(
                    client,
                    "slice-of-decode-0",
                    new EndpointSliceBuilder(Slices.ready("decode-0"))
                            .editFirstEndpoint()
                            .editTargetRef()
                            .withUid("another-uid")
                            .endTargetRef()
                            .endEndpoint()
                            .build());
            await().atMost(BOUND)
                    .until(() -> pool.state().decoders().stream()
                            .anyMatch(view ->
                                    view.worker().uid().equals("another-uid") && view.state() == WorkerState.READY));
        }
    }

    /** A pod is ready for Kubernetes before its weights are loaded, unless it says otherwise: the probe decides. */
    @Test
    void aPodWhoseProbeFailsStaysPending() {
        try (FollowedCluster cluster = FollowedCluster.keeping();
                KubernetesClient client = cluster.server().createClient()) {
            slices(client).resource(Slices.ready("decode-0")).create();
            KubernetesPool probed = new KubernetesPool(
                    "p",
                    Slices.NAMESPACE,
                    Slices.LABEL + "=" + Slices.SERVICE,
                    null,
                    "http",
                    WorkerIntent.Role.DECODE,
                    WorkerIntent.Probe.HTTP);
            Pool pool = cluster.follow(SELDOM, probed);
            await().until(() -> state(pool, "decode-0").equals(Optional.of(WorkerState.PENDING)));
            assertThat(picked(pool)).isEmpty();
        }
    }
}
