package io.eldr.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads that open, repeat, renew, move, finish, cancel, time out, close again, let leases end, sweep, eject and replace
 * incarnations and let routers die, all at once: more than a million operations over the seeds.
 */
class ReservationsInterleavingTest {
    private static final List<Outcome> OUTCOMES = List.of(Outcome.values());
    private static final int THREADS = 4;
    private static final int OPERATIONS = 130_000;
    private static final int SLOTS = 6;
    private static final int ROUTERS = 3;
    private static final int MAX_IN_FLIGHT = 200;
    private static final int AT_LEAST_IN_FLIGHT = 50;

    private final MutableClock clock = new MutableClock();
    private final AtomicReferenceArray<Router> routers = new AtomicReferenceArray<>(ROUTERS);
    private final Queue<Router> everyRouter = new ConcurrentLinkedQueue<>();
    private final AtomicReferenceArray<Incarnation> live = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<ReservationId> known = new AtomicReferenceArray<>(512);
    private final AtomicInteger lowest = new AtomicInteger();
    private final AtomicInteger highest = new AtomicInteger();
    private final Map<String, AtomicInteger> happened = new ConcurrentHashMap<>();

    /** A replica with loads and reservations of its own; when it dies they die with it. */
    private final class Router implements ReservationListener<Integer> {
        private final LoadLedger ledger = new LoadLedger();
        private final Map<ReservationId, AtomicInteger> endings = new ConcurrentHashMap<>();
        private final AtomicInteger opened = new AtomicInteger();
        private final Reservations<Integer> reservations;

        private Router(String id) {
            reservations = new Reservations<>(id, 99, ledger, clock, this, Reservations.DEFAULT_REMEMBERED);
            everyRouter.add(this);
        }

        @Override
        public void closed(Reservation<Integer> reservation, Outcome outcome) {
            ending(reservation);
            count(outcome.id());
        }

        @Override
        public void expired(Reservation<Integer> reservation) {
            ending(reservation);
            count("expired");
        }

        @Override
        public void moved(Reservation<Integer> before, Reservation<Integer> after) {
            assertThat(after.failed()).contains(before.incarnation().slot());
            count("moved");
        }

        private void ending(Reservation<Integer> reservation) {
            endings.computeIfAbsent(reservation.id(), _ -> new AtomicInteger()).incrementAndGet();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void everyReservationIsReleasedOnceAndGaugesEqualWhatIsOpen(long seed) throws Exception {
        IntStream.range(0, ROUTERS).forEach(i -> routers.set(i, new Router("router-" + i)));
        IntStream.range(0, SLOTS).forEach(slot -> recreate(slot, 0));
        SplittableRandom seeds = new SplittableRandom(seed);
        List<Future<?>> done = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int t = 0; t < THREADS; t++) {
                SplittableRandom random = seeds.split();
                done.add(threads.submit(() -> work(random)));
            }
            for (Future<?> each : done) {
                each.get();
            }
        }

        assertThat(lowest).hasValue(0);
        assertThat(highest.get()).isBetween(AT_LEAST_IN_FLIGHT, MAX_IN_FLIGHT);
        assertThat(happened.keySet())
                .contains("expired", "moved", "completed", "aborted", "timeout", "decoderFailed", "renewed", "died");
        everyRouter.forEach(this::assertGaugesEqualWhatIsOpen);

        clock.advance(Duration.ofMinutes(10));
        for (Router router : everyRouter) {
            router.reservations.expire(clock.instant());
            assertThat(router.reservations.open()).isZero();
            assertThat(router.ledger.inFlight().values()).allMatch(count -> count == 0);
            assertThat(router.endings).hasSize(router.opened.get());
            assertThat(router.endings.values()).allMatch(count -> count.get() == 1);
        }
    }

    private void work(SplittableRandom random) {
        for (int i = 0; i < OPERATIONS; i++) {
            Router router = routers.get(random.nextInt(ROUTERS));
            switch (random.nextInt(24)) {
                case 0 -> clock.advance(Duration.ofMillis(random.nextInt(20)));
                case 1 -> router.reservations.expire(clock.instant());
                case 2 -> change(router, random, i);
                case 3, 4 -> renew(random);
                case 5, 6 -> reassign(random);
                case 7, 8, 9, 10, 11, 12, 13 -> close(random);
                default -> open(router, random);
            }
        }
    }

    private void open(Router router, SplittableRandom random) {
        Incarnation incarnation = live.get(random.nextInt(SLOTS));
        int seen = router.ledger.inFlight(incarnation);
        lowest.accumulateAndGet(seen, Math::min);
        highest.accumulateAndGet(seen, Math::max);
        Opening<Integer> opening = router.reservations.open(
                "demo",
                "request-" + random.nextInt(4_000),
                incarnation,
                seen,
                OptionalInt.of(MAX_IN_FLIGHT),
                Lease.ofSeconds(1 + random.nextInt(30)),
                random.nextInt());
        if (opening instanceof Opening.Opened<Integer>(Reservation<Integer> reservation)) {
            router.opened.incrementAndGet();
            known.set(random.nextInt(known.length()), reservation.id());
        }
    }

    private void close(SplittableRandom random) {
        Outcome outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
        withKnown(random, (router, id) -> router.reservations.close(id, outcome));
    }

    private void renew(SplittableRandom random) {
        Optional<Lease> lease =
                random.nextBoolean() ? Optional.of(Lease.ofSeconds(1 + random.nextInt(30))) : Optional.empty();
        withKnown(random, (router, id) -> {
            if (router.reservations.renew(id, lease) instanceof Renewal.Renewed) {
                count("renewed");
            }
        });
    }

    private void reassign(SplittableRandom random) {
        withKnown(
                random,
                (router, id) -> router.reservations.find(id).ifPresent(held -> {
                    List<Seat<Integer>> seats = IntStream.range(0, SLOTS)
                            .mapToObj(live::get)
                            .filter(other ->
                                    !other.slot().equals(held.incarnation().slot()))
                            .filter(other -> !held.failed().contains(other.slot()))
                            .map(other -> new Seat<>(other, OptionalInt.of(MAX_IN_FLIGHT), held.decision()))
                            .toList();
                    router.reservations.reassign(id, held.incarnation().slot(), _ -> seats);
                }));
    }

    private interface Use {
        void of(Router router, ReservationId id);
    }

    /** Any router is asked, as behind one address; it knows its own alone. */
    private void withKnown(SplittableRandom random, Use use) {
        ReservationId id = known.get(random.nextInt(known.length()));
        if (id != null) {
            for (int i = 0; i < ROUTERS; i++) {
                use.of(routers.get(i), id);
            }
        }
    }

    /** Rare things. */
    private void change(Router router, SplittableRandom random, int i) {
        switch (random.nextInt(200)) {
            case 0, 1, 2, 3, 4, 5 -> recreate(random.nextInt(SLOTS), i);
            case 6 -> {
                int index = random.nextInt(ROUTERS);
                Router successor = new Router("router-%d-%d-%d"
                        .formatted(index, i, Thread.currentThread().threadId()));
                IntStream.range(0, SLOTS).forEach(slot -> successor.ledger.view(List.of(live.get(slot))));
                routers.set(index, successor);
                count("died");
            }
            case 7, 8 -> router.ledger.admit(live.get(random.nextInt(SLOTS)), OptionalInt.of(random.nextInt(2)));
            case 9, 10, 11, 12 -> router.ledger.admit(live.get(random.nextInt(SLOTS)), OptionalInt.empty());
            default -> router.ledger.report(live.get(random.nextInt(SLOTS)), Optional.of(EngineReport.of(7, 3)));
        }
    }

    /** The slot's pod is recreated: another incarnation takes its place while requests of the old one still run. */
    private void recreate(int slot, int uid) {
        Incarnation next = new Incarnation(
                "slot-" + slot, uid + "-" + Thread.currentThread().threadId());
        IntStream.range(0, ROUTERS).forEach(i -> routers.get(i).ledger.view(List.of(next)));
        live.set(slot, next);
        Set<Incarnation> all = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < SLOTS; i++) {
            if (live.get(i) != null) {
                all.add(live.get(i));
            }
        }
        IntStream.range(0, ROUTERS).forEach(i -> routers.get(i).ledger.retainOnly(all));
    }

    private void count(String event) {
        happened.computeIfAbsent(event, _ -> new AtomicInteger()).incrementAndGet();
    }

    private void assertGaugesEqualWhatIsOpen(Router router) {
        Map<Incarnation, Integer> open = new HashMap<>();
        router.reservations.forEachOpen(reservation -> open.merge(reservation.incarnation(), 1, Integer::sum));
        router.ledger
                .inFlight()
                .forEach((incarnation, count) -> assertThat(open.getOrDefault(incarnation, 0))
                        .as("open on %s", incarnation)
                        .isEqualTo(count));
        assertThat(open.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(router.reservations.open());
        assertThat(router.ledger.inFlight().keySet()).containsAll(open.keySet());
        assertThat(router.endings.size() + router.reservations.open()).isEqualTo(router.opened.get());
    }
}
