package io.eldr.core.load;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * This router's own in-flight counts, one for each incarnation, exact at any moment and without locks.
 *
 * <p>A count rises only by a reservation that names the value its decision saw, so that picks made at the same moment
 * cannot pile up on the decoder that looked idle to all of them; it falls only through the {@link LoadUnit} that raised it,
 * once. So it is never negative, and a late release cannot reach another incarnation.
 *
 * <p>What engines report is kept beside the counts and never written into them; the two meet only in the estimate of
 * {@link LoadView#load}.
 */
public final class LoadLedger {
    /** Enough for 87,000 requests of a model of 48 x 128 experts. */
    public static final long DEFAULT_USE_BYTES = 128L << 20;

    private final ConcurrentMap<Incarnation, InFlightGauge> gauges = new ConcurrentHashMap<>();
    private final AtomicInteger routers = new AtomicInteger(1);
    private final UseMemory memory;

    /** With {@link #DEFAULT_USE_BYTES} for what requests are expected to use. */
    public LoadLedger() {
        this(DEFAULT_USE_BYTES);
    }

    /** @param useBytes how much memory open reservations may take for what they are expected to use, each for itself */
    public LoadLedger(long useBytes) {
        memory = new UseMemory(useBytes);
    }

    /** What became of an attempt to reserve. */
    public sealed interface Attempt {}

    /** The count was raised by one. */
    public record Reserved(LoadUnit unit) implements Attempt {}

    /** The count is no longer what the decision saw: decide again. */
    public record Contended() implements Attempt {}

    /** The incarnation has as many requests in flight as it may. */
    public record Full() implements Attempt {}

    /** The incarnation has left or takes none now, or no view has named it: decide again on a newer snapshot. */
    public record Gone() implements Attempt {}

    /** The counts of these incarnations by their position in the list; it follows every change. */
    public LoadView view(List<Incarnation> incarnations) {
        InFlightGauge[] viewed = new InFlightGauge[incarnations.size()];
        for (int i = 0; i < viewed.length; i++) {
            viewed[i] = gauges.computeIfAbsent(incarnations.get(i), this::newGauge);
        }
        return new LedgerView(viewed, routers);
    }

    private InFlightGauge newGauge(Incarnation incarnation) {
        return new InFlightGauge(incarnation, routers, memory);
    }

    /**
     * Raises an incarnation's count by one if it still is what the decision saw.
     *
     * @param seen the in-flight count that the decision acted on
     * @param maxInFlight the most requests that the incarnation may have in flight; empty for no limit
     */
    public Attempt tryReserve(Incarnation incarnation, int seen, OptionalInt maxInFlight) {
        return tryReserve(incarnation, seen, maxInFlight, Optional.empty());
    }

    /**
     * The same for a request that it is known of which experts it is expected to use.
     *
     * @param use counts in {@link LoadView#use} until the unit is released
     */
    public Attempt tryReserve(Incarnation incarnation, int seen, OptionalInt maxInFlight, Optional<PredictedUse> use) {
        InFlightGauge gauge = gauges.get(incarnation);
        return gauge == null ? new Gone() : gauge.tryReserve(seen, maxInFlight, use);
    }

    /**
     * Raises an incarnation's count by one, whatever it is.
     *
     * @return {@link Reserved}, {@link Full} or {@link Gone}
     */
    Attempt reserve(Incarnation incarnation, OptionalInt maxInFlight, Optional<PredictedUse> use) {
        InFlightGauge gauge = gauges.get(incarnation);
        Attempt attempt = new Contended();
        while (attempt instanceof Contended) {
            attempt = gauge == null ? new Gone() : gauge.tryReserve(gauge.open(), maxInFlight, use);
        }
        return attempt;
    }

    /**
     * Says how many more reservations an incarnation takes from now on; what it has in flight stays.
     *
     * @param reservations 0 or more; empty for any number
     */
    public void admit(Incarnation incarnation, OptionalInt reservations) {
        InFlightGauge gauge = gauges.get(incarnation);
        if (gauge != null) {
            gauge.admit(reservations.isPresent() ? Admission.of(reservations.getAsInt()) : Admission.withoutLimit());
        }
    }

    /** Says how many routers send to the decoders, this one included; at least 1. */
    public void routers(int live) {
        int before = routers.getAndSet(Math.max(1, live));
        if (before != routers.get()) {
            gauges.values().forEach(InFlightGauge::routersChanged);
        }
    }

    public int routers() {
        return routers.get();
    }

    /** Takes in what an incarnation's engine said; empty when what it said last has become too old. */
    public void report(Incarnation incarnation, Optional<EngineReport> report) {
        InFlightGauge gauge = gauges.get(incarnation);
        if (gauge != null) {
            gauge.report(report);
        }
    }

    /** Says what requests use on an incarnation of which it is not known, such as those of other routers. */
    public void others(Incarnation incarnation, Optional<UsePattern> pattern) {
        InFlightGauge gauge = gauges.get(incarnation);
        if (gauge != null) {
            gauge.others(pattern);
        }
    }

    /** Whether a reservation may keep what its request is expected to use for itself alone. */
    public boolean hasRoomFor(PredictedUse use) {
        return memory.hasRoomFor(use);
    }

    /** What open reservations keep of their expected use, in bytes. */
    public long useBytes() {
        return memory.used();
    }

    /** What an incarnation's requests are expected to use; empty for one that is not known. */
    public Optional<DecoderUse> use(Incarnation incarnation) {
        InFlightGauge gauge = gauges.get(incarnation);
        return gauge == null ? Optional.empty() : gauge.use();
    }

    /** What an incarnation's engine said, unless that is too old. */
    public Optional<EngineReport> report(Incarnation incarnation) {
        InFlightGauge gauge = gauges.get(incarnation);
        return gauge == null ? Optional.empty() : gauge.report();
    }

    /** An incarnation's whole load as estimated, as {@link LoadView#load} gives it; 0 for one that is not known. */
    public double load(Incarnation incarnation) {
        InFlightGauge gauge = gauges.get(incarnation);
        return gauge == null ? 0 : gauge.load();
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
