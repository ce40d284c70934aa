package io.eldr.router.discovery;

import io.eldr.core.routing.SlotBinding;
import io.eldr.router.intent.WorkerIntent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Knows workers beside those that operators registered. Calls do not block. */
public interface WorkerDiscovery {

    /** Nobody but operators knows workers. */
    WorkerDiscovery NONE = pool -> List.of();

    /** The workers of a pool at this moment, with distinct slots. */
    List<KnownWorker> workers(String pool);

    /** Whether each source was asked once, and answered or failed. */
    default boolean askedAll() {
        return true;
    }

    /** Has a listener called, on a thread of the discovery, after each change. */
    default void onChange(Runnable listener) {}

    /**
     * All workers of a pool, registered and discovered, in the order of their slots. Where both know a slot, the cluster
     * says which process it is and where, and the operator how it is to be used: weight, limit, draining.
     */
    default List<KnownWorker> with(List<WorkerIntent> registered, String pool) {
        List<KnownWorker> discovered = workers(pool);
        if (discovered.isEmpty()) {
            return registered.stream().map(KnownWorker::registered).toList();
        }
        Map<String, KnownWorker> bySlot = new HashMap<>();
        registered.forEach(worker -> bySlot.put(worker.slot(), KnownWorker.registered(worker)));
        discovered.forEach(worker -> bySlot.merge(worker.worker().slot(), worker, WorkerDiscovery::merged));
        List<KnownWorker> all = new ArrayList<>(bySlot.values());
        all.sort(Comparator.comparing(known -> known.worker().slot(), SlotBinding.BY_NAME));
        return List.copyOf(all);
    }

    private static KnownWorker merged(KnownWorker registered, KnownWorker discovered) {
        WorkerIntent wanted = registered.worker();
        WorkerIntent found = discovered.worker();
        if (wanted.role() != found.role()) {
            return registered;
        }
        return new KnownWorker(
                new WorkerIntent(
                        found.slot(),
                        found.uid(),
                        found.role(),
                        found.url(),
                        wanted.weight(),
                        wanted.maxInFlight(),
                        wanted.probe(),
                        wanted.draining() || found.draining(),
                        wanted.revision()),
                discovered.serving(),
                discovered.source());
    }
}
