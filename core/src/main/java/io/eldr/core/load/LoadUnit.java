package io.eldr.core.load;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One request's share of an incarnation's in-flight count. It lowers the count of the incarnation that it was taken from
 * on the first {@link #release}, and does nothing on any later one.
 */
public final class LoadUnit {
    private final InFlightGauge gauge;
    private final AtomicBoolean released = new AtomicBoolean();

    LoadUnit(InFlightGauge gauge) {
        this.gauge = gauge;
    }

    public Incarnation incarnation() {
        return gauge.incarnation();
    }

    /** @return whether this call released it */
    public boolean release() {
        if (released.compareAndSet(false, true)) {
            gauge.release();
            return true;
        }
        return false;
    }
}
