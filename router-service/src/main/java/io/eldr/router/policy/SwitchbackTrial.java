package io.eldr.router.policy;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.SwitchbackRule;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The times per output token that two policies were found to take in turn. A window is one observation: what happens in it
 * is too much alike to count as many. Windows with fewer than {@link #FEWEST} requests are left out; the newest
 * {@link #MOST} are kept.
 */
final class SwitchbackTrial {
    static final int FEWEST = 10;
    static final int MOST = 1_000;

    private final SwitchbackRule rule;
    private final Instant since;
    private final RandomGenerator random;
    private final TreeMap<Long, WindowTpot> windows = new TreeMap<>();
    private long leftOut;

    /** @param since what ran before does not count */
    SwitchbackTrial(SwitchbackRule rule, Instant since, RandomGenerator random) {
        this.rule = rule;
        this.since = since;
        this.random = random;
    }

    SwitchbackRule rule() {
        return rule;
    }

    Instant since() {
        return since;
    }

    /**
     * Takes in a request that ran from one moment to the other, if all of it lies where one policy's window has settled.
     *
     * @param policy the one that placed it, where that is known
     */
    synchronized void add(Instant from, Instant to, Optional<PolicyName> policy, double millis) {
        SwitchbackRule.Window window = rule.windowAt(to);
        boolean counts = window.holds(from, to)
                && !from.isBefore(since)
                && policy.map(placed -> placed == window.policy()).orElse(true)
                && millis > 0;
        if (!counts) {
            leftOut++;
            return;
        }
        windows.computeIfAbsent(window.index(), index -> new WindowTpot(window.policy()))
                .add(millis, random);
        if (windows.size() > MOST) {
            windows.pollFirstEntry();
        }
    }

    /** Requests at the start of a window, or that ran into the next one. */
    synchronized long leftOut() {
        return leftOut;
    }

    synchronized int requests(PolicyName policy) {
        return windows.values().stream()
                .filter(window -> window.policy() == policy)
                .mapToInt(WindowTpot::requests)
                .sum();
    }

    /** The median of each of a policy's windows that had enough requests. */
    synchronized double[] medians(PolicyName policy) {
        return windows.values().stream()
                .filter(window -> window.policy() == policy && window.requests() >= FEWEST)
                .mapToDouble(window -> window.median().orElseThrow())
                .toArray();
    }
}
