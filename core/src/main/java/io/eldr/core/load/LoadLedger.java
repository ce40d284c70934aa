package io.eldr.core.load;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * This router's own in-flight counts, one for each incarnation, exact at any moment and without locks.
 *
 * <p>A count rises only by a reservation that names the value its decision saw, so that picks made at the same moment
 * cannot pile up on the decoder that looked idle to all of them; it falls only through the {@link LoadUnit} that raised it,
 * once. So it is never negative, and a late release cannot reach another incarnation.
 */
public final class LoadLedger {
    private final ConcurrentMap<Incarnation, InFlightGauge> gauges = new ConcurrentHashMap<>();

    /** What became of an attempt to reserve. */
    public sealed interface Attempt {}

    /** The count was raised by one. */
    public record Reserved(LoadUnit unit) implements Attempt {}

    /** The count is no longer what the decision saw: decide again. */
    public record Contended() implements Attempt {}

    /** The incarnation has as many requests in flight as it may. */
    public record Full() implements Attempt {}

    /** The incarnation has left, or no view has named it: decide again on a newer snapshot. */
    public record Gone() implements Attempt {}

    /** The counts of these incarnations by their position in the list; it follows every change. */
    public LoadView view(List<Incarnation> incarnations) {
        InFlightGauge[] viewed = new InFlightGauge[incarnations.size()];
        for (int i = 0; i < viewed.length; i++) {
            viewed[i] = gauges.computeIfAbsent(incarnations.get(i), InFlightGauge::new);
        }
        return new LedgerView(viewed);
    }

    /**
     * Raises an incarnation's count by one if it still is what the decision saw.
     *
     * @param seen the in-flight count that the decision acted on
     * @param maxInFlight the most requests that the incarnation may have in flight; empty for no limit
     */
    public Attempt tryReserve(Incarnation incarnation, int seen, OptionalInt maxInFlight) {
        InFlightGauge gauge = gauges.get(incarnation);
        return gauge == null ? new Gone() : gauge.tryReserve(seen, maxInFlight);
    }

    /** An incarnation's own in-flight count; 0 for one that is not known. */
    public int inFlight(Incarnation incarnation) {
        InFlightGauge gauge = gauges.get(incarnation);
        return gauge == null ? 0 : Math.max(0, gauge.get());
    }

    /** A copy of all counts, by slot and uid. */
    public Map<Incarnation, Integer> inFlight() {
        Map<Incarnation, Integer> counts =
                new TreeMap<>(Comparator.comparing(Incarnation::slot).thenComparing(Incarnation::uid));
        gauges.forEach((incarnation, gauge) -> counts.put(incarnation, Math.max(0, gauge.get())));
        return counts;
    }

    /**
     * Forgets the incarnations that are not among these and have nothing in flight; the others leave on a later call. A
     * forgotten one takes no more reservations through views that were made before.
     */
    public void retainOnly(Set<Incarnation> live) {
        for (InFlightGauge gauge : gauges.values()) {
            if (!live.contains(gauge.incarnation()) && gauge.retire()) {
                gauges.remove(gauge.incarnation(), gauge);
            }
        }
    }
}
