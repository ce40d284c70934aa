package io.eldr.core.load;

import java.time.Instant;
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

    record Open<D>(Reservation<D> reservation, LoadUnit unit) implements State<D> {}

    record Ended<D>(boolean closed, Instant at) implements State<D> {}
}
