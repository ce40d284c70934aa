package io.eldr.router.gateway;

import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.LoadUnit;
import io.eldr.core.load.LoadView;
import io.eldr.core.load.Outcome;
import io.eldr.router.intent.WorkerIntent;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.worker.Breakers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Chooses prefill workers: prompts that begin alike go to the same one, whose prefix cache then serves them, unless it has
 * more than 1.25 times the mean in flight; then to the least loaded (ELDR paper, the authors' proxy).
 */
final class PrefillChoice {
    private static final double BOUND = 1.25;
    private static final int TRIES = 100;

    private final LoadLedger ledger;
    private final Breakers breakers;
    private final InstantSource clock;
    private final Map<String, Ready> readyByPool = new ConcurrentHashMap<>();

    PrefillChoice(LoadLedger ledger, Breakers breakers, InstantSource clock) {
        this.ledger = ledger;
        this.breakers = breakers;
        this.clock = clock;
    }

    /** A worker that a prompt was given to at some time, and the unit of its load until {@link #ended}. */
    record Chosen(WorkerIntent worker, LoadUnit unit, Instant at) {
        Incarnation incarnation() {
            return unit.incarnation();
        }
    }

    /** The prefill workers of one state of a pool that may get prompts. */
    private record Ready(List<WorkerView> of, List<WorkerIntent> workers, HashRing ring, LoadView loads) {}

    /**
     * @param prefix the first bytes of the prompt
     * @param excluded slots that failed this request already
     * @param failedDecoders slots of decode workers that did
     * @return empty where no worker is READY but those
     */
    Optional<Chosen> choose(Pool pool, byte[] prefix, Set<String> excluded, Set<String> failedDecoders) {
        Set<Incarnation> taken = new HashSet<>();
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Ready ready = ready(pool);
            List<Integer> allowed = new ArrayList<>();
            for (int i = 0; i < ready.workers().size(); i++) {
                WorkerIntent worker = ready.workers().get(i);
                if (!excluded.contains(worker.slot()) && !taken.contains(incarnation(worker))) {
                    allowed.add(i);
                }
            }
            if (allowed.isEmpty()) {
                return Optional.empty();
            }
            int chosen = choose(ready, prefix, decodable(pool, ready, allowed, failedDecoders));
            WorkerIntent worker = ready.workers().get(chosen);
            int seen = Math.max(0, ready.loads().inFlight(chosen));
            switch (ledger.tryReserve(incarnation(worker), seen, worker.maxInFlight())) {
                case LoadLedger.Reserved(LoadUnit unit) -> {
                    return Optional.of(new Chosen(worker, unit, clock.instant()));
                }
                case LoadLedger.Contended _ -> {
                    // Somebody was faster: look again.
                }
                case LoadLedger.Full _, LoadLedger.Gone _ -> taken.add(incarnation(worker));
            }
        }
        return Optional.empty();
    }

    /** Those whose work a decode worker can take over; where none can, all of them, and the decode step says why not. */
    private static List<Integer> decodable(Pool pool, Ready ready, List<Integer> allowed, Set<String> failedDecoders) {
        List<Integer> decodable = allowed.stream()
                .filter(i -> Revisions.isDecodable(pool.state(), ready.workers().get(i), failedDecoders))
                .toList();
        return decodable.isEmpty() ? allowed : decodable;
    }

    /** A prompt's time with a worker is over; only the first call counts. */
    void ended(Chosen chosen, Outcome outcome) {
        if (chosen.unit().release()) {
            breakers.ended(chosen.incarnation(), outcome, chosen.at());
        }
    }

    /** Whether a worker is READY beside those. */
    boolean hasOther(Pool pool, Set<String> excluded) {
        return ready(pool).workers().stream().anyMatch(worker -> !excluded.contains(worker.slot()));
    }

    private static int choose(Ready ready, byte[] prefix, List<Integer> allowed) {
        LoadView loads = ready.loads();
        int home = ready.ring().owner(prefix);
        double mean = allowed.stream().mapToInt(loads::inFlight).average().orElse(0);
        if (allowed.contains(home) && loads.inFlight(home) <= BOUND * mean) {
            return home;
        }
        int least = allowed.getFirst();
        for (int i : allowed) {
            least = loads.inFlight(i) < loads.inFlight(least) ? i : least;
        }
        return least;
    }

    private Ready ready(Pool pool) {
        List<WorkerView> prefillers = pool.state().prefillers();
        Ready known = readyByPool.get(pool.name());
        if (known != null && known.of().equals(prefillers)) {
            return known;
        }
        List<WorkerIntent> workers = prefillers.stream()
                .filter(WorkerView::eligible)
                .map(WorkerView::worker)
                .toList();
        Ready made = new Ready(
                prefillers,
                workers,
                new HashRing(
                        workers.isEmpty()
                                ? List.of("")
                                : workers.stream().map(WorkerIntent::slot).toList()),
                ledger.view(workers.stream().map(PrefillChoice::incarnation).toList()));
        readyByPool.put(pool.name(), made);
        return made;
    }

    private static Incarnation incarnation(WorkerIntent worker) {
        return new Incarnation(worker.slot(), worker.uid());
    }
}
