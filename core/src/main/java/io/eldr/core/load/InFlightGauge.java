package io.eldr.core.load;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The in-flight count of one incarnation: 0 or more, or {@link LoadView#GONE} for good once it was retired. Beside it
 * stands what its engine reported, which never touches the count.
 */
final class InFlightGauge {
    private final Incarnation incarnation;
    private final AtomicInteger count = new AtomicInteger();
    private volatile Admission admission = Admission.withoutLimit();
    private volatile Optional<EngineReport> report = Optional.empty();

    InFlightGauge(Incarnation incarnation) {
        this.incarnation = incarnation;
    }

    Incarnation incarnation() {
        return incarnation;
    }

    int get() {
        return count.get();
    }

    /** The count, or {@link LoadView#GONE} while no reservation is admitted. */
    int open() {
        return admission.isClosed() ? LoadView.GONE : count.get();
    }

    Optional<EngineReport> report() {
        return report;
    }

    void report(Optional<EngineReport> latest) {
        report = latest;
    }

    void admit(Admission rule) {
        admission = rule;
    }

    LoadLedger.Attempt tryReserve(int seen, OptionalInt maxInFlight) {
        if (seen < 0 || count.get() < 0) {
            return new LoadLedger.Gone();
        }
        if (maxInFlight.isPresent() && seen >= maxInFlight.getAsInt()) {
            return new LoadLedger.Full();
        }
        Admission rule = admission;
        if (!rule.enter()) {
            return new LoadLedger.Gone();
        }
        if (count.compareAndSet(seen, seen + 1)) {
            return new LoadLedger.Reserved(new LoadUnit(this));
        }
        rule.undo();
        return new LoadLedger.Contended();
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
