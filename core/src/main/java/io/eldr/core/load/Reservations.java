package io.eldr.core.load;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The reservations of one router instance: each holds one unit of an incarnation's load and gives it back exactly once,
 * whoever ends it and however many try at once.
 *
 * <p>There is no lock. An entry's state goes from open to ended by one compare-and-set, and only the thread that won it
 * releases the load and tells the listener; a renewal and a move to another decoder are one compare-and-set as well.
 * Leases are kept in order of time, so opening and closing cost O(log n) and a sweep costs what it expires; a lease that
 * ended is also noticed by whoever touches the reservation before the sweep does.
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
    private final KeySequence keys;
    private final ConcurrentMap<Long, Entry<D>> entries = new ConcurrentHashMap<>();
    private final ConcurrentMap<RequestKey, Entry<D>> byRequest = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Due, Entry<D>> due = new ConcurrentSkipListMap<>();
    private final EndedKeys ended;
    private final AtomicInteger openCount = new AtomicInteger();

    private record RequestKey(String pool, String requestId) {}

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
        this.keys = new KeySequence(firstKey);
        this.ledger = ledger;
        this.clock = clock;
        this.listener = listener;
        this.ended = new EndedKeys(remembered, entries::remove);
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
        return open(pool, requestId, incarnation, seen, maxInFlight, lease, decision, Optional.empty());
    }

    /**
     * The same for a request that it is known of which experts it is expected to use.
     *
     * @param use counts on the incarnation as long as the load does, and moves with it
     */
    public Opening<D> open(
            String pool,
            String requestId,
            Incarnation incarnation,
            int seen,
            OptionalInt maxInFlight,
            Lease lease,
            D decision,
            Optional<PredictedUse> use) {
        if (!(ledger.tryReserve(incarnation, seen, maxInFlight, use) instanceof LoadLedger.Reserved(LoadUnit unit))) {
            return new Opening.Stale<>();
        }
        Instant now = clock.instant();
        ReservationId id = new ReservationId(router, keys.next());
        Reservation<D> reservation = new Reservation<>(
                id, pool, requestId, incarnation, List.of(), lease, now, now.plus(lease.duration()), decision);
        Entry.Open<D> open = new Entry.Open<>(reservation, unit, 0);
        Entry<D> entry = new Entry<>(id.key(), open);
        entries.put(entry.key(), entry);
        openCount.incrementAndGet();
        Optional<Reservation<D>> existing = claim(new RequestKey(pool, requestId), entry, now);
        if (existing.isPresent()) {
            entries.remove(entry.key());
            openCount.decrementAndGet();
            unit.release();
            return new Opening.Existing<>(existing.get());
        }
        putInOrder(entry, open);
        return new Opening.Opened<>(reservation);
    }

    /** The reservation if it is open. */
    public Optional<Reservation<D>> find(ReservationId id) {
        return entry(id).flatMap(entry -> live(entry, clock.instant())).map(Entry.Open::reservation);
    }

    /** Ends a reservation and gives its load back. */
    public Closing<D> close(ReservationId id, Outcome outcome) {
        Instant now = clock.instant();
        Optional<Entry<D>> known = entry(id);
        if (known.isEmpty()) {
            return new Closing.Unknown<>();
        }
        Entry<D> entry = known.get();
        Optional<Entry.Open<D>> open = live(entry, now);
        while (open.isPresent()) {
            if (end(entry, open.get(), new Entry.Ended<>(true, now))) {
                listener.closed(open.get().reservation(), outcome);
                return new Closing.Closed<>(open.get().reservation());
            }
            open = live(entry, now);
        }
        return switch (absence(entry, now)) {
            case CLOSED -> new Closing.AlreadyClosed<>();
            case EXPIRED -> new Closing.Expired<>();
            case UNKNOWN -> new Closing.Unknown<>();
        };
    }

    /**
     * Lets a reservation's lease run anew from now.
     *
     * @param lease how long; empty for as long as it was last given
     */
    public Renewal<D> renew(ReservationId id, Optional<Lease> lease) {
        Instant now = clock.instant();
        Optional<Entry<D>> known = entry(id);
        if (known.isEmpty()) {
            return new Renewal.NotOpen<>(Absence.UNKNOWN);
        }
        Entry<D> entry = known.get();
        Optional<Entry.Open<D>> open = live(entry, now);
        while (open.isPresent()) {
            Entry.Open<D> renewed =
                    open.get().renewed(lease.orElse(open.get().reservation().lease()), now);
            if (replace(entry, open.get(), renewed)) {
                return new Renewal.Renewed<>(renewed.reservation());
            }
            open = live(entry, now);
        }
        return new Renewal.NotOpen<>(absence(entry, now));
    }

    /**
     * Moves a reservation away from a decoder that failed, to the first of others that takes it; its lease runs anew. It
     * is never without load meanwhile. Where none takes it, it is closed with {@link Outcome#DECODER_FAILED}.
     *
     * @param failed the slot that failed: it moves only if it is there
     * @param seats where it may go, best first
     */
    public Reassignment<D> reassign(ReservationId id, String failed, Function<Reservation<D>, List<Seat<D>>> seats) {
        Instant now = clock.instant();
        Optional<Entry<D>> known = entry(id);
        if (known.isEmpty()) {
            return new Reassignment.NotOpen<>(Absence.UNKNOWN);
        }
        Entry<D> entry = known.get();
        Optional<Entry.Open<D>> open = live(entry, now);
        while (open.isPresent()) {
            Reservation<D> held = open.get().reservation();
            if (!held.incarnation().slot().equals(failed)) {
                return held.failed().contains(failed)
                        ? new Reassignment.Repeated<>(held)
                        : new Reassignment.Elsewhere<>(held);
            }
            Optional<Entry.Open<D>> moved = take(open.get(), seats.apply(held), now);
            if (moved.isEmpty()) {
                if (end(entry, open.get(), new Entry.Ended<>(true, now))) {
                    listener.closed(held, Outcome.DECODER_FAILED);
                    return new Reassignment.Exhausted<>(held);
                }
            } else if (replace(entry, open.get(), moved.get())) {
                open.get().unit().release();
                listener.moved(held, moved.get().reservation());
                return new Reassignment.Moved<>(held, moved.get().reservation());
            } else {
                moved.get().unit().release();
            }
            open = live(entry, now);
        }
        return new Reassignment.NotOpen<>(absence(entry, now));
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
            if (first.getValue().get() instanceof Entry.Open<D> open
                    && open.reservation().expiredAt(now)
                    && expire(first.getValue(), open, now)) {
                expired++;
            }
            first = due.firstEntry();
        }
        ended.forgetOlderThan(MEMORY, now);
        return expired;
    }

    /** How many reservations are open, among them those whose lease ended without anybody having noticed yet. */
    public int open() {
        return openCount.get();
    }

    /** Whether a reservation may keep what its request is expected to use for itself alone. */
    public boolean hasRoomFor(PredictedUse use) {
        return ledger.hasRoomFor(use);
    }

    /** How many ended reservations are remembered. */
    public int remembered() {
        return ended.count();
    }

    /** Shows each open reservation once; those opened or ended meanwhile may be shown or not. */
    public void forEachOpen(Consumer<Reservation<D>> consumer) {
        for (Entry<D> entry : byRequest.values()) {
            if (entry.get() instanceof Entry.Open<D> open) {
                consumer.accept(open.reservation());
            }
        }
    }

    private Optional<Entry<D>> entry(ReservationId id) {
        return id.router().equals(router) ? Optional.ofNullable(entries.get(id.key())) : Optional.empty();
    }

    /** Why an entry that is not open is not. */
    private Absence absence(Entry<D> entry, Instant now) {
        return switch (entry.get()) {
            case Entry.Ended<D> ended when ended.at().plus(MEMORY).isBefore(now) -> Absence.UNKNOWN;
            case Entry.Ended<D> ended -> ended.closed() ? Absence.CLOSED : Absence.EXPIRED;
            case Entry.Open<D> _ ->
                throw new IllegalStateException("an ended reservation opened again: " + entry.key());
        };
    }

    /** The state on the first seat that takes one more; it holds that load. */
    private Optional<Entry.Open<D>> take(Entry.Open<D> open, List<Seat<D>> seats, Instant now) {
        for (Seat<D> seat : seats) {
            if (ledger.reserve(
                            seat.incarnation(), seat.maxInFlight(), open.unit().use())
                    instanceof LoadLedger.Reserved(LoadUnit unit)) {
                return Optional.of(open.movedTo(unit, seat.decision(), now));
            }
        }
        return Optional.empty();
    }

    /** @return whether the entry went from one open state to the other */
    private boolean replace(Entry<D> entry, Entry.Open<D> before, Entry.Open<D> after) {
        if (!entry.compareAndSet(before, after)) {
            return false;
        }
        putInOrder(entry, after);
        due.remove(before.due());
        return true;
    }

    /** Gives an open state its place in the order of expiry, unless it is over already: who ended it found no place. */
    private void putInOrder(Entry<D> entry, Entry.Open<D> open) {
        due.put(open.due(), entry);
        if (!(entry.get() instanceof Entry.Open<D> now) || now.turn() != open.turn()) {
            due.remove(open.due());
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
        while (entry.get() instanceof Entry.Open<D> open) {
            if (!open.reservation().expiredAt(now)) {
                return Optional.of(open);
            }
            expire(entry, open, now);
        }
        return Optional.empty();
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
        due.remove(open.due());
        ended.add(entry.key(), state.at());
        return true;
    }
}
