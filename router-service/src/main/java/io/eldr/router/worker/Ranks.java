package io.eldr.router.worker;

import io.eldr.core.load.EngineReport;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.LoadUnit;
import io.eldr.core.load.LoadView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The data-parallel ranks inside workers whose ranks share their experts. A rank is to its worker what a worker is to its
 * pool: this router's own requests there are counted exactly, and what the engine says of it adds those of others.
 *
 * <p>A rank's number is its place among those that its worker's metrics name: so vLLM counts them, also where a server has
 * the later ones of a larger group.
 */
public final class Ranks {
    private final LoadLedger ledger = new LoadLedger();
    private final RandomGenerator random;
    private final Map<Incarnation, Group> groups = new ConcurrentHashMap<>();

    public Ranks(RandomGenerator random) {
        this.random = random;
    }

    /** A request's place on a rank, until {@link #leave}. */
    public record Seat(int rank, LoadUnit unit) {
        /** Only the first call counts. */
        public void leave() {
            unit.release();
        }
    }

    /** The ranks of a worker. */
    private record Group(List<Incarnation> ranks, LoadView loads) {
        private static Group of(Incarnation worker, int number, LoadLedger ledger) {
            List<Incarnation> ranks = IntStream.range(0, number)
                    .mapToObj(rank -> new Incarnation(worker.slot() + "/" + rank, worker.uid()))
                    .toList();
            return new Group(ranks, ledger.view(ranks));
        }

        /** The least loaded; of several one by chance, since other routers look at the same reports. */
        private int least(RandomGenerator random) {
            int first = random.nextInt(ranks.size());
            int least = first;
            for (int i = 1; i < ranks.size(); i++) {
                int rank = (first + i) % ranks.size();
                least = load(rank) < load(least) ? rank : least;
            }
            return least;
        }

        private double load(int rank) {
            return loads.load(rank, Math.max(0, loads.inFlight(rank)));
        }
    }

    /** A place on the least loaded rank of a worker; empty where the worker has but one, as far as is known. */
    public Optional<Seat> take(Incarnation worker) {
        Optional<Group> group = Optional.ofNullable(groups.get(worker));
        while (group.isPresent()) {
            int rank = group.get().least(random);
            switch (ledger.tryReserve(
                    group.get().ranks().get(rank), group.get().loads().inFlight(rank), OptionalInt.empty())) {
                case LoadLedger.Reserved(LoadUnit unit) -> {
                    return Optional.of(new Seat(rank, unit));
                }
                case LoadLedger.Contended _ -> {
                    // Somebody was faster: look again.
                }
                case LoadLedger.Full _, LoadLedger.Gone _ -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    /** This router's own requests on each rank of a worker; empty where the worker has but one, as far as is known. */
    public List<Integer> inFlight(Incarnation worker) {
        return Optional.ofNullable(groups.get(worker)).stream()
                .flatMap(group -> group.ranks().stream())
                .map(ledger::inFlight)
                .toList();
    }

    /**
     * Takes in what an engine said.
     *
     * @param requests on each of its ranks, whoever sent them
     * @param ownThen what {@link #inFlight} was when it was asked
     */
    void report(Incarnation worker, List<Integer> requests, List<Integer> ownThen) {
        if (requests.size() < 2) {
            forget(worker);
            return;
        }
        Group group = groups.compute(
                worker,
                (_, known) -> known != null && known.ranks().size() == requests.size()
                        ? known
                        : Group.of(worker, requests.size(), ledger));
        boolean counted = ownThen.size() == requests.size();
        for (int rank = 0; rank < requests.size(); rank++) {
            int own = counted ? ownThen.get(rank) : 0;
            ledger.report(
                    group.ranks().get(rank),
                    Optional.of(new EngineReport(requests.get(rank), own, OptionalDouble.empty())));
        }
    }

    /** What a worker's engine said last has become too old: only this router's own requests count. */
    void takeBack(Incarnation worker) {
        Optional.ofNullable(groups.get(worker)).stream()
                .flatMap(group -> group.ranks().stream())
                .forEach(rank -> ledger.report(rank, Optional.empty()));
    }

    /** A worker is not asked any more, or has but one rank now. */
    void forget(Incarnation worker) {
        if (groups.remove(worker) != null) {
            Set<Incarnation> live = groups.values().stream()
                    .flatMap(group -> group.ranks().stream())
                    .collect(Collectors.toUnmodifiableSet());
            ledger.retainOnly(live);
        }
    }
}
