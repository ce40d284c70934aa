package io.eldr.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that open, repeat, close, close again, let leases end, sweep and replace incarnations, all at once. */
class ReservationsInterleavingTest {
    private static final int THREADS = 4;
    private static final int OPERATIONS = 50_000;
    private static final int SLOTS = 6;
    private static final int MAX_IN_FLIGHT = 200;

    private final MutableClock clock = new MutableClock();
    private final LoadLedger ledger = new LoadLedger();
    private final Map<ReservationId, AtomicInteger> endings = new ConcurrentHashMap<>();
    private final Reservations<Integer> reservations =
            new Reservations<>("router-a", 99, ledger, clock, new CountingListener(), Reservations.DEFAULT_REMEMBERED);
    private final AtomicReferenceArray<Incarnation> live = new AtomicReferenceArray<>(SLOTS);
    private final AtomicReferenceArray<ReservationId> known = new AtomicReferenceArray<>(512);
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger lowest = new AtomicInteger();
    private final AtomicInteger highest = new AtomicInteger();

    private final class CountingListener implements ReservationListener<Integer> {
        @Override
        public void closed(Reservation<Integer> reservation, Outcome outcome) {
            ending(reservation);
        }

        @Override
        public void expired(Reservation<Integer> reservation) {
            ending(reservation);
        }

        private void ending(Reservation<Integer> reservation) {
            endings.computeIfAbsent(reservation.id(), _ -> new AtomicInteger()).incrementAndGet();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void everyReservationIsReleasedOnceAndGaugesEqualWhatIsOpen(long seed) throws Exception {
        for (int slot = 0; slot < SLOTS; slot++) {
            renew(slot, 0);
        }
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
        assertThat(highest.get()).isBetween(10, MAX_IN_FLIGHT);
        assertGaugesEqualWhatIsOpen();
        assertThat(opened.get()).isGreaterThan(OPERATIONS / 2);
        assertThat(endings.values()).allMatch(count -> count.get() == 1);
        assertThat(endings.size() + reservations.open()).isEqualTo(opened.get());

        clock.advance(Duration.ofMinutes(10));
        reservations.expire(clock.instant());

        assertThat(reservations.open()).isZero();
        assertThat(ledger.inFlight().values()).containsOnly(0);
        assertThat(endings).hasSize(opened.get());
        assertThat(endings.values()).allMatch(count -> count.get() == 1);
    }

    private void work(SplittableRandom random) {
        for (int i = 0; i < OPERATIONS; i++) {
            switch (random.nextInt(16)) {
                case 0 -> clock.advance(Duration.ofMillis(random.nextInt(100)));
                case 1 -> reservations.expire(clock.instant());
                case 2 -> {
                    if (random.nextInt(20) == 0) {
                        renew(random.nextInt(SLOTS), i);
                    }
                }
                case 3, 4, 5, 6, 7, 8 -> close(random);
                default -> open(random);
            }
        }
    }

    private void open(SplittableRandom random) {
        Incarnation incarnation = live.get(random.nextInt(SLOTS));
        int seen = ledger.inFlight(incarnation);
        lowest.accumulateAndGet(seen, Math::min);
        highest.accumulateAndGet(seen, Math::max);
        Opening<Integer> opening = reservations.open(
                "demo",
                "request-" + random.nextInt(2_000),
                incarnation,
                seen,
                OptionalInt.of(MAX_IN_FLIGHT),
                Lease.ofSeconds(1 + random.nextInt(10)),
                random.nextInt());
        if (opening instanceof Opening.Opened<Integer>(Reservation<Integer> reservation)) {
            opened.incrementAndGet();
            known.set(random.nextInt(known.length()), reservation.id());
        }
    }

    private void close(SplittableRandom random) {
        ReservationId id = known.get(random.nextInt(known.length()));
        if (id != null) {
            reservations.close(id, random.nextBoolean() ? Outcome.COMPLETED : Outcome.ABORTED);
        }
    }

    /** The slot's pod is recreated: another incarnation takes its place while requests of the old one still run. */
    private void renew(int slot, int uid) {
        Incarnation next = new Incarnation(
                "slot-" + slot, uid + "-" + Thread.currentThread().threadId());
        ledger.view(List.of(next));
        live.set(slot, next);
        Set<Incarnation> all = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < SLOTS; i++) {
            if (live.get(i) != null) {
                all.add(live.get(i));
            }
        }
        ledger.retainOnly(all);
    }

    private void assertGaugesEqualWhatIsOpen() {
        Map<Incarnation, Integer> open = new HashMap<>();
        reservations.forEachOpen(reservation -> open.merge(reservation.incarnation(), 1, Integer::sum));
        ledger.inFlight()
                .forEach((incarnation, count) -> assertThat(open.getOrDefault(incarnation, 0))
                        .as("open on %s", incarnation)
                        .isEqualTo(count));
        assertThat(open.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(reservations.open());
        assertThat(ledger.inFlight().keySet()).containsAll(open.keySet());
    }
}
