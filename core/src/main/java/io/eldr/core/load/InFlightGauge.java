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
    private final AtomicInteger routers;
    private final UseMemory memory;
    private final DecoderUse use = new DecoderUse(this::load);
    private final Optional<DecoderUse> known = Optional.of(use);

    /** @param routers how many there are, this one included; may change */
    InFlightGauge(Incarnation incarnation, AtomicInteger routers, UseMemory memory) {
        this.incarnation = incarnation;
        this.routers = routers;
        this.memory = memory;
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

    /** The whole load as estimated. */
    double load() {
        return LoadEstimate.of(Math.max(0, count.get()), report, routers.get());
    }

    /** What is expected of its requests' experts. */
    Optional<DecoderUse> use() {
        return known;
    }

    void others(Optional<UsePattern> pattern) {
        use.others(pattern);
    }

    void routersChanged() {
        use.loadChanged();
    }

    Optional<EngineReport> report() {
        return report;
    }

    void report(Optional<EngineReport> latest) {
        report = latest;
        use.loadChanged();
    }

    void admit(Admission rule) {
        admission = rule;
    }

    LoadLedger.Attempt tryReserve(int seen, OptionalInt maxInFlight, Optional<PredictedUse> predicted) {
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
            predicted.ifPresent(this::opened);
            return new LoadLedger.Reserved(new LoadUnit(this, predicted));
        }
        rule.undo();
        return new LoadLedger.Contended();
    }

    private void opened(PredictedUse predicted) {
        memory.take(predicted);
        use.open(predicted);
    }

    /** Called once by each unit, and by nothing else: the count cannot fall below the units that are out. */
    void release(Optional<PredictedUse> predicted) {
        count.decrementAndGet();
        predicted.ifPresent(this::closed);
    }

    private void closed(PredictedUse predicted) {
        use.close(predicted);
        memory.giveBack(predicted);
    }

    /** @return whether it was idle, so that no reservation can reach it any more */
    boolean retire() {
        return count.compareAndSet(0, LoadView.GONE);
    }
}
