package io.eldr.core.load;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The reservations of one router instance: each holds one unit of an incarnation's load and gives it back exactly once,
 * whoever ends it and however many try at once.
 *
 * <p>There is no lock. An entry's state goes from open to ended by one compare-and-set, and only the thread that won it
 * releases the load and tells the listener. Leases are kept in order of time, so opening and closing cost O(log n) and a
 * sweep costs what it expires; a lease that ended is also noticed by whoever touches the reservation before the sweep does.
 * Ended reservations are remembered for {@link #MEMORY}, so that a repeated close can be told from a wrong id, and never
 * more of them than a given number: then the oldest are forgotten first.
 *
 * @param <D> what was decided with a reservation
 */
public final class Reservations<D> {
    /** How long an ended reservation is remembered. */
    public static final Duration MEMORY = Duration.ofMinutes(10);

    /** How many ended reservations are remembered where nothing else is said; about 150 bytes each. */
    public static final int DEFAULT_REMEMBERED = 250_000;

    private final String router;
    private final LoadLedger ledger;
    private final InstantSource clock;
    private final ReservationListener<D> listener;
    private final int remembered;

    private final AtomicLong serial;
    private final ConcurrentMap<Long, Entry<D>> entries = new ConcurrentHashMap<>();
    private final ConcurrentMap<RequestKey, Entry<D>> byRequest = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Due, Entry<D>> due = new ConcurrentSkipListMap<>();
    private final ConcurrentLinkedQueue<Memory> ended = new ConcurrentLinkedQueue<>();
    private final AtomicInteger endedCount = new AtomicInteger();
    private final AtomicInteger openCount = new AtomicInteger();

    private record RequestKey(String pool, String requestId) {}

    private record Memory(long key, Instant endedAt) {}

    /** An entry's place in the order of expiry. */
    private record Due(Instant at, long key) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(key, other.key);
        }
    }

    /**
     * @param router the id of this router instance, which every reservation's id carries
     * @param firstKey where the keys of reservations start; random, so that ids of an instance's earlier life stay unknown
     * @param remembered the most ended reservations to remember
     */
    public Reservations(
            String router,
            long firstKey,
            LoadLedger ledger,
            InstantSource clock,
            ReservationListener<D> listener,
            int remembered) {
        this.router = router;
        this.serial = new AtomicLong(firstKey);
        this.ledger = ledger;
        this.clock = clock;
        this.listener = listener;
        this.remembered = remembered;
    }

    /** The open reservation of a request, whose decision is to be repeated instead of made again. */
    public Optional<Reservation<D>> find(String pool, String requestId) {
        Entry<D> entry = byRequest.get(new RequestKey(pool, requestId));
        return entry == null ? Optional.empty() : live(entry, clock.instant()).map(Entry.Open::reservation);
    }

    /**
     * Takes one unit of an incarnation's load for a request, if the load still is what the decision saw and the request
     * holds none in this pool.
     *
     * @param seen the in-flight count that the decision acted on
     * @param maxInFlight the most requests that the incarnation may have in flight; empty for no limit
     */
    public Opening<D> open(
            String pool,
            String requestId,
            Incarnation incarnation,
            int seen,
            OptionalInt maxInFlight,
            Lease lease,
            D decision) {
        if (!(ledger.tryReserve(incarnation, seen, maxInFlight) instanceof LoadLedger.Reserved(LoadUnit unit))) {
            return new Opening.Stale<>();
        }
        Instant now = clock.instant();
        ReservationId id = new ReservationId(router, nextKey());
        Reservation<D> reservation =
                new Reservation<>(id, pool, requestId, incarnation, now, now.plus(lease.duration()), decision);
        Entry<D> entry = new Entry<>(id.key(), new Entry.Open<>(reservation, unit));
        entries.put(entry.key(), entry);
        openCount.incrementAndGet();
        Optional<Reservation<D>> existing = claim(new RequestKey(pool, requestId), entry, now);
        if (existing.isPresent()) {
            entries.remove(entry.key());
            openCount.decrementAndGet();
            unit.release();
            return new Opening.Existing<>(existing.get());
        }
        Due place = new Due(reservation.expiresAt(), entry.key());
        due.put(place, entry);
        if (!(entry.get() instanceof Entry.Open)) {
            due.remove(place);
        }
        return new Opening.Opened<>(reservation);
    }

    /** Ends a reservation and gives its load back. */
    public Closing<D> close(ReservationId id, Outcome outcome) {
        Instant now = clock.instant();
        Entry<D> entry = id.router().equals(router) ? entries.get(id.key()) : null;
        if (entry == null) {
            return new Closing.Unknown<>();
        }
        Optional<Entry.Open<D>> open = live(entry, now);
        if (open.isPresent() && end(entry, open.get(), new Entry.Ended<>(true, now))) {
            listener.closed(open.get().reservation(), outcome);
            return new Closing.Closed<>(open.get().reservation());
        }
        return switch (entry.get()) {
            case Entry.Ended<D> ended when ended.at().plus(MEMORY).isBefore(now) -> new Closing.Unknown<>();
            case Entry.Ended<D> ended when ended.closed() -> new Closing.AlreadyClosed<>();
            case Entry.Ended<D> _ -> new Closing.Expired<>();
            case Entry.Open<D> _ -> throw new IllegalStateException("an ended reservation opened again: " + id);
        };
    }

    /**
     * Ends every reservation whose lease has ended, and forgets those that ended long enough ago. To be called about once
     * a second.
     *
     * @return how many leases this call found ended
     */
    public int expire(Instant now) {
        int expired = 0;
        Map.Entry<Due, Entry<D>> first = due.firstEntry();
        while (first != null && !first.getKey().at().isAfter(now)) {
            due.remove(first.getKey());
            if (first.getValue().get() instanceof Entry.Open<D> open && expire(first.getValue(), open, now)) {
                expired++;
            }
            first = due.firstEntry();
        }
        forget(now);
        return expired;
    }

    /** How many reservations are open, among them those whose lease ended without anybody having noticed yet. */
    public int open() {
        return openCount.get();
    }

    /** How many ended reservations are remembered. */
    public int remembered() {
        return endedCount.get();
    }

    /** Shows each open reservation once; those opened or ended meanwhile may be shown or not. */
    public void forEachOpen(Consumer<Reservation<D>> consumer) {
        for (Entry<D> entry : byRequest.values()) {
            if (entry.get() instanceof Entry.Open<D> open) {
                consumer.accept(open.reservation());
            }
        }
    }

    /** Makes the entry its request's only one, unless another open one has that place. */
    private Optional<Reservation<D>> claim(RequestKey request, Entry<D> entry, Instant now) {
        while (true) {
            Entry<D> other = byRequest.putIfAbsent(request, entry);
            if (other == null) {
                return Optional.empty();
            }
            Optional<Entry.Open<D>> open = live(other, now);
            if (open.isPresent()) {
                return Optional.of(open.get().reservation());
            }
            byRequest.remove(request, other);
        }
    }

    /** The entry's state if it is open and its lease runs; ends it if the lease has ended. */
    private Optional<Entry.Open<D>> live(Entry<D> entry, Instant now) {
        if (!(entry.get() instanceof Entry.Open<D> open)) {
            return Optional.empty();
        }
        if (open.reservation().expiredAt(now)) {
            expire(entry, open, now);
            return Optional.empty();
        }
        return Optional.of(open);
    }

    private boolean expire(Entry<D> entry, Entry.Open<D> open, Instant now) {
        if (!end(entry, open, new Entry.Ended<>(false, now))) {
            return false;
        }
        listener.expired(open.reservation());
        return true;
    }

    /** @return whether this call ended it, which one call for each entry does */
    private boolean end(Entry<D> entry, Entry.Open<D> open, Entry.Ended<D> state) {
        if (!entry.compareAndSet(open, state)) {
            return false;
        }
        open.unit().release();
        openCount.decrementAndGet();
        Reservation<D> reservation = open.reservation();
        byRequest.remove(new RequestKey(reservation.pool(), reservation.requestId()), entry);
        due.remove(new Due(reservation.expiresAt(), entry.key()));
        ended.add(new Memory(entry.key(), state.at()));
        if (endedCount.incrementAndGet() > remembered) {
            forgetOldest();
        }
        return true;
    }

    private void forget(Instant now) {
        Memory oldest = ended.peek();
        while (oldest != null && oldest.endedAt().plus(MEMORY).isBefore(now)) {
            forgetOldest();
            oldest = ended.peek();
        }
    }

    private void forgetOldest() {
        Memory oldest = ended.poll();
        if (oldest != null) {
            endedCount.decrementAndGet();
            entries.remove(oldest.key());
        }
    }

    /** Distinct keys that do not look like a sequence: a bijection of a counter (the finaliser of SplitMix64). */
    private long nextKey() {
        long z = serial.addAndGet(0x9E3779B97F4A7C15L);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
