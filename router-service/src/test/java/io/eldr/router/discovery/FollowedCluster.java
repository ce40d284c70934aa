package io.eldr.router.discovery;

import io.eldr.core.load.LoadLedger;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.PoolState;
import io.eldr.router.discovery.KubernetesProperties.KubernetesPool;
import io.eldr.router.intent.Intent;
import io.eldr.router.intent.IntentSource;
import io.eldr.router.intent.PoolIntent;
import io.eldr.router.intent.StoredArtifact;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.PoolEnvironment;
import io.eldr.router.pool.PoolObserver;
import io.eldr.router.pool.Pools;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.TestWorkers;
import io.eldr.router.worker.WorkerStandings;
import io.eldr.router.worker.WorkerState;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceList;
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

/** A cluster for a test, and a pool whose workers are looked for in it. */
final class FollowedCluster implements AutoCloseable {

    /** So seldom that what is known was learned from the watch. */
    static final Duration SELDOM = Duration.ofMinutes(5);

    /** Long before the next list. Without load it takes milliseconds. */
    static final Duration BOUND = Duration.ofSeconds(60);

    private final MockWebServer web = new MockWebServer();
    private final LoadLedger ledger = new LoadLedger();
    private final WorkerStandings standings = TestWorkers.standings(ledger);
    private final KubernetesMockServer server;
    private Optional<KubernetesDiscovery> running = Optional.empty();

    private FollowedCluster(Optional<KubernetesCrudDispatcher> keeping) {
        server = keeping.map(
                        dispatcher -> new KubernetesMockServer(new Context(), web, new HashMap<>(), dispatcher, false))
                .orElseGet(() -> new KubernetesMockServer(new Context(), web, new HashMap<>(), false));
        server.init();
    }

    /** One that keeps what it is given. */
    static FollowedCluster keeping() {
        return new FollowedCluster(Optional.of(new KubernetesCrudDispatcher()));
    }

    /** One that answers as it is told. */
    static FollowedCluster scripted() {
        return new FollowedCluster(Optional.empty());
    }

    KubernetesMockServer server() {
        return server;
    }

    /** What {@link #follow} started. */
    KubernetesDiscovery discovery() {
        return running.orElseThrow();
    }

    @Override
    public void close() {
        running.ifPresent(KubernetesDiscovery::stop);
        standings.close();
        web.shutdown();
    }

    Pool follow(Duration relist) {
        return follow(server.url("/"), relist, Slices.POOL);
    }

    Pool follow(Duration relist, KubernetesPool source) {
        return follow(server.url("/"), relist, source);
    }

    /** @param url of another cluster than this one */
    Pool follow(String url, Duration relist) {
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

    static NonNamespaceOperation<EndpointSlice, EndpointSliceList, Resource<EndpointSlice>> slices(
            KubernetesClient client) {
        MixedOperation<EndpointSlice, EndpointSliceList, Resource<EndpointSlice>> all =
                client.discovery().v1().endpointSlices();
        return all.inNamespace(Slices.NAMESPACE);
    }

    static void change(KubernetesClient client, String name, EndpointSlice wanted) {
        slices(client)
                .withName(name)
                .edit(slice -> new EndpointSliceBuilder(slice)
                        .withEndpoints(wanted.getEndpoints())
                        .build());
    }

    /** The decoders that requests are sent to now: every one that any of many requests could get. */
    static Set<String> picked(Pool pool) {
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

    static Optional<WorkerState> state(Pool pool, String slot) {
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
