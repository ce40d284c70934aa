package io.eldr.core.load;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One request's share of an incarnation's in-flight count and of its expected use of experts. It lowers both of the incarnation that it was taken from
 * on the first {@link #release}, and does nothing on any later one.
 */
public final class LoadUnit {
    private final InFlightGauge gauge;
    private final Optional<PredictedUse> use;
    private final AtomicBoolean released = new AtomicBoolean();

    LoadUnit(InFlightGauge gauge, Optional<PredictedUse> use) {
        this.gauge = gauge;
        this.use = use;
    }

    public Incarnation incarnation() {
        return gauge.incarnation();
    }

    /** What its request is expected to use, which counts there as long as the unit does. */
    public Optional<PredictedUse> use() {
        return use;
    }

    /** @return whether this call released it */
    public boolean release() {
        if (released.compareAndSet(false, true)) {
            gauge.release(use);
            return true;
        }
        return false;
    }
}
