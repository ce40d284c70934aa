package io.eldr.router.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.load.LoadLedger;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.PoolState;
import io.eldr.router.discovery.KubernetesProperties.KubernetesPool;
import io.eldr.router.intent.Intent;
import io.eldr.router.intent.IntentSource;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.intent.StoredArtifact;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.PoolEnvironment;
import io.eldr.router.pool.PoolObserver;
import io.eldr.router.pool.Pools;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter;
import io.eldr.router.testing.TestWorkers;
import io.eldr.router.worker.WorkerStandings;
import io.eldr.router.worker.WorkerState;
import io.fabric8.kubernetes.api.model.ListMetaBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.WatchEventBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceList;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceListBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods come and go in a cluster, and its watch fails in the ways in which watches fail. */
class KubernetesDiscoveryTest {

    private static final String PATH =
            "/apis/discovery.k8s.io/v1/namespaces/engines/endpointslices" + "?labelSelector=app%3Ddecode";

    /** Long before the next list: what is known by then was learned from the watch. Without load it takes milliseconds. */
    private static final Duration BOUND = Duration.ofSeconds(10);

    private static final String LAST = "9";
    private static final Duration OFTEN = Duration.ofSeconds(1);
    private static final Duration SELDOM = Duration.ofMinutes(5);

    private final MockWebServer web = new MockWebServer();
    private final LoadLedger ledger = new LoadLedger();
    private final WorkerStandings standings = TestWorkers.standings(ledger);
    private Optional<KubernetesDiscovery> running = Optional.empty();

    @AfterEach
    void close() {
        running.ifPresent(KubernetesDiscovery::stop);
        standings.close();
        web.shutdown();
    }

    @Test
    void podsComeAndGoAndNoneThatLeftIsPickedWithinASecond() {
        KubernetesMockServer server = cluster();
        try (KubernetesClient client = server.createClient()) {
            slices(client).resource(Slices.ready("decode-0")).create();
            Pool pool = follow(server, SELDOM);
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
        KubernetesMockServer server = cluster();
        try (KubernetesClient client = server.createClient()) {
            slices(client).resource(Slices.ready("decode-0")).create();
            Pool pool = follow(server, SELDOM);
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
        KubernetesMockServer server = cluster();
        try (KubernetesClient client = server.createClient()) {
            slices(client).resource(Slices.ready("decode-0")).create();
            Pool pool = follow(server, SELDOM);
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

    @Test
    void aDeletionThatTheWatchMissedIsFoundByListingAgain() {
        KubernetesMockServer server = scripted();
        expectList(server, "5", Slices.ready("decode-0"), Slices.ready("decode-1"));
        // The watch says nothing of what happens and never ends by itself.
        expectSilentWatch(server, "5", OFTEN);
        expectList(server, "9", Slices.ready("decode-1"));
        expectSilentWatch(server, "9", OFTEN);
        Pool pool = follow(server, OFTEN);
        await().pollInterval(Duration.ofMillis(10)).until(() -> picked(pool).equals(Set.of("decode-0", "decode-1")));
        await().atMost(Duration.ofSeconds(10)).until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    @Test
    void aWatchThatIsGoneIsBegunAnewFromAList() {
        KubernetesMockServer server = scripted();
        expectList(server, "5", Slices.ready("decode-0"), Slices.ready("decode-1"));
        server.expect()
                .withPath(watchFrom("5", SELDOM))
                .andUpgradeToWebSocket()
                .open()
                .waitFor(100)
                .andEmit(new WatchEventBuilder()
                        .withType("ERROR")
                        .withObject(new StatusBuilder()
                                .withCode(410)
                                .withReason("Expired")
                                .withMessage("too old resource version: 5 (9)")
                                .build())
                        .build())
                .done()
                .always();
        expectList(server, "9", Slices.ready("decode-1"));
        expectSilentWatch(server, "9", SELDOM);
        Pool pool = follow(server, SELDOM);
        await().until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    @Test
    void anErrorOfTheClusterLeavesWhatWasKnownAndIsTriedAgain() {
        KubernetesMockServer server = scripted();
        expectList(server, "5", Slices.ready("decode-0"));
        server.expect().withPath(watchFrom("5", SELDOM)).andReturn(503, "").always();
        server.expect().get().withPath(PATH).andReturn(503, "").times(3);
        expectList(server, "9", Slices.ready("decode-1"));
        expectSilentWatch(server, "9", SELDOM);
        Pool pool = follow(server, SELDOM);
        await().until(() -> picked(pool).equals(Set.of("decode-0")));
        await().atMost(Duration.ofSeconds(20)).until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    @Test
    void aWholeRouterSendsToThePodsThatAreThereAndToNoOthers() {
        KubernetesMockServer server = cluster();
        SharedRouter.REGISTRY.pool("pods");
        try (KubernetesClient client = server.createClient();
                TestRouter router = routerIn(server)) {
            assertThat(router.post("/v1/route", TestRouter.body("pods", "early"))
                            .status())
                    .isEqualTo(503);
            slices(client).resource(Slices.ready("decode-0")).create();
            TestRouter.Answer placed = await().atMost(Duration.ofSeconds(20))
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
                    .until(() -> router.post("/v1/route", TestRouter.body("pods", "late"))
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
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> router.get("/v1/pools/pods/decoders").status() == 200);
            return router;
        } finally {
            System.clearProperty(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY);
        }
    }

    @Test
    void aWatchThatSaysNonsenseOrIsClosedIsBegunAnewFromAList() {
        KubernetesMockServer server = scripted();
        expectList(server, "5", Slices.ready("decode-0"), Slices.ready("decode-1"));
        server.expect()
                .withPath(watchFrom("5", SELDOM))
                .andUpgradeToWebSocket()
                .open()
                .waitFor(100)
                .andEmit("{\"type\": \"MODIFIED\", \"obj")
                .done()
                .always();
        expectList(server, "9", Slices.ready("decode-1"));
        expectSilentWatch(server, "9", SELDOM);
        Pool pool = follow(server, SELDOM);
        await().atMost(Duration.ofSeconds(20)).until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    /** As with a Role that is missing at first. */
    @Test
    void whatMayNotBeReadIsFollowedOnceItMay() {
        KubernetesMockServer server = scripted();
        server.expect()
                .get()
                .withPath(PATH)
                .andReturn(
                        403,
                        new StatusBuilder()
                                .withCode(403)
                                .withReason("Forbidden")
                                .withMessage("endpointslices is forbidden")
                                .build())
                .times(2);
        expectList(server, "9", Slices.ready("decode-1"));
        expectSilentWatch(server, "9", SELDOM);
        Pool pool = follow(server, SELDOM);
        KubernetesDiscovery discovery = running.orElseThrow();
        await().until(discovery::askedAll);
        await().atMost(Duration.ofSeconds(20)).until(() -> picked(pool).equals(Set.of("decode-1")));
    }

    /** A pod is ready for Kubernetes before its weights are loaded, unless it says otherwise: the probe decides. */
    @Test
    void aPodWhoseProbeFailsStaysPending() {
        KubernetesMockServer server = cluster();
        try (KubernetesClient client = server.createClient()) {
            slices(client).resource(Slices.ready("decode-0")).create();
            KubernetesPool probed = new KubernetesPool(
                    "p",
                    Slices.NAMESPACE,
                    Slices.LABEL + "=" + Slices.SERVICE,
                    null,
                    "http",
                    WorkerIntent.Role.DECODE,
                    WorkerIntent.Probe.HTTP);
            Pool pool = follow(server.url("/"), SELDOM, probed);
            await().until(() -> state(pool, "decode-0").equals(Optional.of(WorkerState.PENDING)));
            assertThat(picked(pool)).isEmpty();
        }
    }

    @Test
    void withoutAClusterTheRestGoesOn() {
        Pool pool = follow("http://127.0.0.1:1/", SELDOM);
        KubernetesDiscovery discovery = running.orElseThrow();
        await().until(discovery::askedAll);
        assertThat(discovery.workers("p")).isEmpty();
        assertThat(picked(pool)).isEmpty();
    }

    /** A cluster that keeps what it is given. */
    private KubernetesMockServer cluster() {
        KubernetesMockServer server =
                new KubernetesMockServer(new Context(), web, new HashMap<>(), new KubernetesCrudDispatcher(), false);
        server.init();
        return server;
    }

    /** A cluster that answers as it is told. */
    private KubernetesMockServer scripted() {
        KubernetesMockServer server = new KubernetesMockServer(new Context(), web, new HashMap<>(), false);
        server.init();
        return server;
    }

    private static void expectList(KubernetesMockServer server, String version, EndpointSlice... slices) {
        server.expect()
                .get()
                .withPath(PATH)
                .andReturn(
                        200,
                        new EndpointSliceListBuilder()
                                .withMetadata(new ListMetaBuilder()
                                        .withResourceVersion(version)
                                        .build())
                                .withItems(slices)
                                .build())
                .times(version.equals(LAST) ? 100 : 1);
    }

    /** A watch that seems alive and says nothing for longer than {@link #OFTEN}; the server waits for it when it stops. */
    private static void expectSilentWatch(KubernetesMockServer server, String version, Duration relist) {
        server.expect()
                .withPath(watchFrom(version, relist))
                .andUpgradeToWebSocket()
                .open()
                .waitFor(1_500)
                .andEmit("too late")
                .done()
                .always();
    }

    private static String watchFrom(String version, Duration relist) {
        return PATH.replace("?", "?allowWatchBookmarks=true&") + "&resourceVersion=" + version + "&timeoutSeconds="
                + (relist.toSeconds() + 1) + "&watch=true";
    }

    private Pool follow(KubernetesMockServer server, Duration relist) {
        return follow(server.url("/"), relist);
    }

    private Pool follow(String url, Duration relist) {
        return follow(url, relist, Slices.POOL);
    }

    private Pool follow(String url, Duration relist, KubernetesPool source) {
        KubernetesDiscovery discovery = new KubernetesDiscovery(
                new KubernetesProperties(List.of(source), relist),
                () -> new KubernetesClientBuilder()
                        .withConfig(DiscoveryConfiguration.oneTry(
                                new ConfigBuilder().withMasterUrl(url).build()))
                        .build());
        running = Optional.of(discovery);
        Pools pools = new Pools(
                new Nothing(),
                new PoolEnvironment(ledger, discovery, Optional.empty(), InstantSource.system()),
                standings,
                Optional.empty(),
                new Nobody(),
                InstantSource.system());
        discovery.onChange(pools::discovered);
        pools.apply(new Intent(List.of(new PoolIntent(
                1,
                "p",
                Fixtures.MODEL,
                "jsq",
                OptionalDouble.empty(),
                OptionalInt.empty(),
                List.of(),
                Optional.empty()))));
        discovery.start();
        return pools.find("p").orElseThrow();
    }

    private static NonNamespaceOperation<EndpointSlice, EndpointSliceList, Resource<EndpointSlice>> slices(
            KubernetesClient client) {
        MixedOperation<EndpointSlice, EndpointSliceList, Resource<EndpointSlice>> all =
                client.discovery().v1().endpointSlices();
        return all.inNamespace(Slices.NAMESPACE);
    }

    private static void change(KubernetesClient client, String name, EndpointSlice wanted) {
        slices(client)
                .withName(name)
                .edit(slice -> new EndpointSliceBuilder(slice)
                        .withEndpoints(wanted.getEndpoints())
                        .build());
    }

    /** The decoders that requests are sent to now: every one that any of many requests could get. */
    private static Set<String> picked(Pool pool) {
        PoolState state = pool.state().forDecisions();
        Decision decision = state.policy()
                .decide(DecisionRequest.unknown(), state.snapshot(), state.loads(), new SplittableRandom(1));
        Set<String> picked = new TreeSet<>();
        if (decision instanceof Decision.Chosen chosen) {
            picked.add(chosen.decoder().id());
            chosen.fallbacks().forEach(fallback -> picked.add(fallback.id()));
        }
        return picked;
    }

    private static Optional<WorkerState> state(Pool pool, String slot) {
        return pool.state().decoders().stream()
                .filter(view -> view.worker().slot().equals(slot))
                .map(WorkerView::state)
                .findFirst();
    }

    private static final class Nothing implements IntentSource {
        @Override
        public Intent read() {
            return Intent.NONE;
        }

        @Override
        public Optional<StoredArtifact> artifact(long poolId, int version) {
            return Optional.empty();
        }
    }

    private static final class Nobody implements PoolObserver {
        @Override
        public void added(Pool pool) {}

        @Override
        public void changed(Pool pool) {}

        @Override
        public void removed(String pool) {}

        @Override
        public void refused(String pool) {}
    }
}
