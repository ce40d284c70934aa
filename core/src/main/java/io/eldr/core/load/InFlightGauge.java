package io.eldr.core.load;

import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/** The in-flight count of one incarnation: 0 or more, or {@link LoadView#GONE} for good once it was retired. */
final class InFlightGauge {
    private final Incarnation incarnation;
    private final AtomicInteger count = new AtomicInteger();

    InFlightGauge(Incarnation incarnation) {
        this.incarnation = incarnation;
    }

    Incarnation incarnation() {
        return incarnation;
    }

    int get() {
        return count.get();
    }

    LoadLedger.Attempt tryReserve(int seen, OptionalInt maxInFlight) {
        if (seen < 0 || count.get() < 0) {
            return new LoadLedger.Gone();
        }
        if (maxInFlight.isPresent() && seen >= maxInFlight.getAsInt()) {
            return new LoadLedger.Full();
        }
        return count.compareAndSet(seen, seen + 1)
                ? new LoadLedger.Reserved(new LoadUnit(this))
                : new LoadLedger.Contended();
    }

    /** Called once by each unit, and by nothing else: the count cannot fall below the units that are out. */
    void release() {
        count.decrementAndGet();
    }

    /** @return whether it was idle, so that no reservation can reach it any more */
    boolean retire() {
        return count.compareAndSet(0, LoadView.GONE);
    }
}
