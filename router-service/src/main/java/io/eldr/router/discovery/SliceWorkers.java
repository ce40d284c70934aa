package io.eldr.router.discovery;

import io.eldr.router.discovery.KubernetesProperties.KubernetesPool;
import io.eldr.router.intent.WorkerIntent;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointConditions;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns the endpoint slices of a service into workers: the slot is the pod's name, the incarnation its uid. An endpoint that
 * is not ready is known and not served; one that terminates drains. Where slices contradict one another about a pod, as they
 * may while an endpoint moves from one to the next, it is served only if none speaks against it.
 */
final class SliceWorkers {

    private final KubernetesPool settings;

    SliceWorkers(KubernetesPool settings) {
        this.settings = settings;
    }

    /** In the order of their slots; what cannot be reached by address and port is left out. */
    List<KnownWorker> of(Collection<EndpointSlice> slices) {
        Map<String, KnownWorker> bySlot = new TreeMap<>();
        List<EndpointSlice> ordered = new ArrayList<>(slices);
        // IPv4 before IPv6, then the oldest name: any order will do if it is always the same.
        ordered.sort(Comparator.comparing(EndpointSlice::getAddressType)
                .thenComparing(slice -> slice.getMetadata().getName()));
        for (EndpointSlice slice : ordered) {
            OptionalInt port = port(slice);
            if (port.isEmpty() || slice.getAddressType().equals("FQDN")) {
                continue;
            }
            for (Endpoint endpoint : slice.getEndpoints()) {
                worker(endpoint, slice, port.getAsInt())
                        .ifPresent(worker -> bySlot.merge(worker.worker().slot(), worker, SliceWorkers::both));
            }
        }
        return List.copyOf(bySlot.values());
    }

    private OptionalInt port(EndpointSlice slice) {
        if (settings.port() != null) {
            return OptionalInt.of(settings.port());
        }
        for (EndpointPort port : slice.getPorts()) {
            if (port.getPort() != null
                    && (settings.portName() == null || settings.portName().equals(port.getName()))) {
                return OptionalInt.of(port.getPort());
            }
        }
        return OptionalInt.empty();
    }

    private Optional<KnownWorker> worker(Endpoint endpoint, EndpointSlice slice, int port) {
        if (endpoint.getAddresses().isEmpty()) {
            return Optional.empty();
        }
        String address = endpoint.getAddresses().getFirst();
        String host = slice.getAddressType().equals("IPv6") ? "[" + address + "]" : address;
        ObjectReference pod = endpoint.getTargetRef();
        @Nullable EndpointConditions conditions = endpoint.getConditions();
        boolean terminating = conditions != null && Boolean.TRUE.equals(conditions.getTerminating());
        // By the API's contract, what is not said counts as ready.
        boolean ready = conditions == null || !Boolean.FALSE.equals(conditions.getReady());
        return Optional.of(new KnownWorker(
                new WorkerIntent(
                        pod == null || pod.getName() == null ? host + ":" + port : pod.getName(),
                        pod == null || pod.getUid() == null ? host + ":" + port : pod.getUid(),
                        settings.role(),
                        "http://" + host + ":" + port,
                        1,
                        OptionalInt.empty(),
                        settings.probe(),
                        terminating,
                        Optional.empty()),
                ready && !terminating,
                KnownWorker.Source.KUBERNETES));
    }

    /** The first of two entries of a pod, as far as both allow. */
    private static KnownWorker both(KnownWorker first, KnownWorker second) {
        if (!first.worker().uid().equals(second.worker().uid())) {
            return first.serving() || !second.serving() ? first : second;
        }
        KnownWorker strictest = second.worker().draining() ? second : first;
        return new KnownWorker(strictest.worker(), first.serving() && second.serving(), KnownWorker.Source.KUBERNETES);
    }
}
