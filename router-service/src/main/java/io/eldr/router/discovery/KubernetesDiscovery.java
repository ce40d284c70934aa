package io.eldr.router.discovery;

import io.eldr.core.routing.SlotBinding;
import io.eldr.router.discovery.KubernetesProperties.KubernetesPool;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/** The workers that Kubernetes knows by the endpoint slices of services, for the pools that configuration names. */
final class KubernetesDiscovery implements WorkerDiscovery, SmartLifecycle {

    private final KubernetesProperties settings;
    private final Supplier<KubernetesClient> connect;
    private final Map<KubernetesPool, List<KnownWorker>> found = new ConcurrentHashMap<>();
    private volatile Runnable onChange = () -> {};
    private volatile List<SliceFollower> followers = List.of();
    private volatile List<KubernetesClient> clients = List.of();

    /** @param connect makes a client; it need not reach the cluster */
    KubernetesDiscovery(KubernetesProperties settings, Supplier<KubernetesClient> connect) {
        this.settings = settings;
        this.connect = connect;
    }

    @Override
    public List<KnownWorker> workers(String pool) {
        Map<String, KnownWorker> bySlot = new TreeMap<>(SlotBinding.BY_NAME);
        for (KubernetesPool source : settings.pools()) {
            if (source.pool().equals(pool)) {
                found.getOrDefault(source, List.of())
                        .forEach(worker -> bySlot.putIfAbsent(worker.worker().slot(), worker));
            }
        }
        return List.copyOf(bySlot.values());
    }

    @Override
    public boolean askedAll() {
        return followers.stream().allMatch(SliceFollower::asked);
    }

    @Override
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    @Override
    public void start() {
        KubernetesClient client = connect.get();
        clients = List.of(client);
        List<SliceFollower> started = new ArrayList<>();
        for (KubernetesPool source : settings.pools()) {
            SliceWorkers reader = new SliceWorkers(source);
            started.add(new SliceFollower(
                    "endpoint slices " + source.selector() + " of pool " + source.pool(),
                    slices(client, source),
                    settings.relist(),
                    slices -> take(source, reader.of(slices))));
        }
        followers = List.copyOf(started);
        started.forEach(SliceFollower::start);
    }

    private static FilterWatchListDeletable<EndpointSlice, EndpointSliceList, Resource<EndpointSlice>> slices(
            KubernetesClient client, KubernetesPool source) {
        String namespace = source.namespace();
        return client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace(namespace == null ? ownNamespace(client) : namespace)
                .withLabelSelector(source.selector());
    }

    private static String ownNamespace(KubernetesClient client) {
        return client.getNamespace() == null ? "default" : client.getNamespace();
    }

    private void take(KubernetesPool source, List<KnownWorker> workers) {
        List<KnownWorker> before = found.put(source, workers);
        if (!workers.equals(before)) {
            onChange.run();
        }
    }

    @Override
    public void stop() {
        followers.forEach(SliceFollower::close);
        followers = List.of();
        clients.forEach(KubernetesClient::close);
        clients = List.of();
    }

    @Override
    public boolean isRunning() {
        return !clients.isEmpty();
    }

    /** With the followers of intent, before the web server. */
    @Override
    public int getPhase() {
        return 0;
    }
}
