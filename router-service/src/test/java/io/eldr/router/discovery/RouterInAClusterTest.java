package io.eldr.router.discovery;

import static io.eldr.router.discovery.FollowedCluster.BOUND;
import static io.eldr.router.discovery.FollowedCluster.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A whole router in a cluster. */
class RouterInAClusterTest {

    @Test
    void aWholeRouterSendsToThePodsThatAreThereAndToNoOthers() {
        SharedRouter.REGISTRY.pool("pods");
        try (FollowedCluster cluster = FollowedCluster.keeping();
                KubernetesClient client = cluster.server().createClient();
                TestRouter router = routerIn(cluster.server())) {
            assertThat(router.post("/v1/route", TestRouter.body("pods", "early"))
                            .status())
                    .isEqualTo(503);
            slices(client).resource(Slices.ready("decode-0")).create();
            TestRouter.Answer placed = await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> router.post("/v1/route", TestRouter.body("pods", "placed")),
                            answer -> answer.status() == 200);
            assertThat(placed.json().at("/decoder/id").asString()).isEqualTo("decode-0");
            assertThat(placed.json().at("/decoder/url").asString()).isEqualTo("http://10.0.0.1:8000");
            assertThat(router.get("/v1/pools/pods/decoders")
                            .json()
                            .at("/decoders/0/state")
                            .asString())
                    .isEqualTo("READY");

            slices(client).withName("slice-of-decode-0").delete();
            await().atMost(BOUND)
                    .until(() -> router.post("/v1/route", TestRouter.body("pods", "late", "dryRun", true))
                                    .status()
                            == 503);
            String close =
                    "/v1/reservations/" + placed.json().at("/reservation/id").asString();
            assertThat(router.delete(close).status()).isEqualTo(204);
        }
    }

    /** The client looks for its cluster as in a pod, so this is where the test says which it is. */
    private static TestRouter routerIn(KubernetesMockServer server) {
        System.setProperty(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY, server.url("/"));
        try {
            TestRouter router = TestRouter.start(
                    SharedRouter.DATABASE.springProperties(),
                    "management.server.port=-1",
                    "springdoc.api-docs.enabled=false",
                    "eldr.router.kubernetes.pools[0].pool=pods",
                    "eldr.router.kubernetes.pools[0].namespace=" + Slices.NAMESPACE,
                    "eldr.router.kubernetes.pools[0].selector=" + Slices.LABEL + "=" + Slices.SERVICE,
                    "eldr.router.kubernetes.pools[0].port-name=http",
                    "eldr.router.kubernetes.pools[0].probe=none");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> router.get("/v1/pools/pods/decoders").status() == 200);
            return router;
        } finally {
            System.clearProperty(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY);
        }
    }
}
