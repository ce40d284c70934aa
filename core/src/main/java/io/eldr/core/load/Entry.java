package io.eldr.core.load;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A reservation's place in the table. Its state changes by compare-and-set from one immutable value to the next, so that
 * exactly one of several threads that want to end it does; ended states drop the decision.
 */
final class Entry<D> extends AtomicReference<Entry.State<D>> {
    private static final long serialVersionUID = 1L;

    private final long key;

    Entry(long key, Open<D> open) {
        super(open);
        this.key = key;
    }

    long key() {
        return key;
    }

    sealed interface State<D> {}

    /**
     * It holds its load.
     *
     * @param turn how many leases it had before
     */
    record Open<D>(Reservation<D> reservation, LoadUnit unit, int turn) implements State<D> {
        Due due() {
            return new Due(reservation.expiresAt(), reservation.id().key(), turn);
        }

        Open<D> renewed(Lease lease, Instant now) {
            return new Open<>(
                    new Reservation<>(
                            reservation.id(),
                            reservation.pool(),
                            reservation.requestId(),
                            reservation.incarnation(),
                            reservation.failed(),
                            lease,
                            reservation.openedAt(),
                            now.plus(lease.duration()),
                            reservation.decision()),
                    unit,
                    turn + 1);
        }

        Open<D> movedTo(LoadUnit other, D decision, Instant now) {
            List<String> failed = new ArrayList<>(reservation.failed());
            failed.add(reservation.incarnation().slot());
            return new Open<>(
                    new Reservation<>(
                            reservation.id(),
                            reservation.pool(),
                            reservation.requestId(),
                            other.incarnation(),
                            failed,
                            reservation.lease(),
                            now,
                            now.plus(reservation.lease().duration()),
                            decision),
                    other,
                    turn + 1);
        }
    }

    record Ended<D>(boolean closed, Instant at) implements State<D> {}
}
