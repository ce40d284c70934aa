package io.eldr.router.policy;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.SwitchbackRule;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The times per output token that two policies were found to take in turn. A window is one observation: what happens in it
 * is too much alike to count as many. Windows with fewer than {@link #FEWEST} requests are left out; the newest
 * {@link #MOST} are kept.
 *
 * <p>What closes say and what engines say is kept apart, and all figures are of one of them: of the engines' where those
 * have more windows that count, else of the closes'. So no request counts twice, and the arms are measured alike.
 */
final class SwitchbackTrial {
    static final int FEWEST = 10;
    static final int MOST = 1_000;

    private final SwitchbackRule rule;
    private final Instant since;
    private final RandomGenerator random;
    private final Map<TpotSource, Told> told = new EnumMap<>(TpotSource.class);

    /** What one source told. */
    private static final class Told {
        private final TreeMap<Long, WindowTpot> windows = new TreeMap<>();
        private long leftOut;

        long counting() {
            return windows.values().stream()
                    .filter(window -> window.requests() >= FEWEST)
                    .count();
        }
    }

    /** @param since what ran before does not count */
    SwitchbackTrial(SwitchbackRule rule, Instant since, RandomGenerator random) {
        this.rule = rule;
        this.since = since;
        this.random = random;
        for (TpotSource source : TpotSource.values()) {
            told.put(source, new Told());
        }
    }

    SwitchbackRule rule() {
        return rule;
    }

    Instant since() {
        return since;
    }

    /**
     * Takes in requests that ran from one moment to the other, if all of it lies where one policy's window has settled.
     *
     * @param policy the one that placed them, where that is known
     * @param requests how many, at least 1
     * @param millis their mean time per output token
     */
    synchronized void add(
            TpotSource source, Instant from, Instant to, Optional<PolicyName> policy, int requests, double millis) {
        Told of = told(source);
        SwitchbackRule.Window window = rule.windowAt(to);
        boolean counts = window.holds(from, to)
                && !from.isBefore(since)
                && policy.map(placed -> placed == window.policy()).orElse(true)
                && millis > 0;
        if (!counts) {
            of.leftOut += requests;
            return;
        }
        WindowTpot tpot = of.windows.computeIfAbsent(window.index(), index -> new WindowTpot(window.policy()));
        for (int i = 0; i < requests; i++) {
            tpot.add(millis, random);
        }
        if (of.windows.size() > MOST) {
            of.windows.pollFirstEntry();
        }
    }

    /** How many requests a source told of, whether they count or not. */
    synchronized long heard(TpotSource source) {
        Told of = told(source);
        return of.leftOut
                + of.windows.values().stream().mapToLong(WindowTpot::requests).sum();
    }

    private Told told(TpotSource source) {
        return Objects.requireNonNull(told.get(source));
    }

    /** Whose word the figures are. */
    synchronized TpotSource source() {
        return told(TpotSource.ENGINES).counting() > told(TpotSource.CLOSES).counting()
                ? TpotSource.ENGINES
                : TpotSource.CLOSES;
    }

    /** Requests at the start of a window, or that ran into the next one. */
    synchronized long leftOut() {
        return told(source()).leftOut;
    }

    synchronized int requests(PolicyName policy) {
        return told(source()).windows.values().stream()
                .filter(window -> window.policy() == policy)
                .mapToInt(WindowTpot::requests)
                .sum();
    }

    /** The median of each of a policy's windows that had enough requests. */
    synchronized double[] medians(PolicyName policy) {
        return told(source()).windows.values().stream()
                .filter(window -> window.policy() == policy && window.requests() >= FEWEST)
                .mapToDouble(window -> window.median().orElseThrow())
                .toArray();
    }
}
