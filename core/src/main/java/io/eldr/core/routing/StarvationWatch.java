package io.eldr.core.routing;

import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadView;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds the decoders of a pool that starve, so that expert locality never leaves one idle while another queues. Somebody
 * shows it the loads now and then, off the requests' way; decisions of a {@link #guarding guarded} policy read what was
 * found by one volatile read. A starving decoder gets the next request and, no longer idle, starves no more.
 */
public final class StarvationWatch {
    /** One request alone queues for nobody. */
    private static final double QUEUE = 2;

    private final StarvationRule rule;
    private final Map<Incarnation, Instant> idleSince = new HashMap<>();
    private volatile Set<Incarnation> starving = Set.of();

    public StarvationWatch(StarvationRule rule) {
        this.rule = rule;
    }

    /** Takes in the loads of this moment. */
    public synchronized void observe(PoolSnapshot snapshot, LoadView loads, Instant now) {
        Set<Incarnation> idle = isUneven(snapshot, loads) ? idle(snapshot, loads) : Set.of();
        idleSince.keySet().retainAll(idle);
        Set<Incarnation> found = new HashSet<>();
        for (Incarnation incarnation : idle) {
            Instant since = idleSince.computeIfAbsent(incarnation, _ -> now);
            if (!now.isBefore(since.plus(rule.after()))) {
                found.add(incarnation);
            }
        }
        starving = Set.copyOf(found);
    }

    /** Those that starved when it was last looked. */
    public Set<Incarnation> starving() {
        return starving;
    }

    /** The same policy, but where expert locality decided, a starving decoder is served first: the best of them. */
    public RoutingPolicy guarding(RoutingPolicy policy) {
        return new GuardedPolicy(policy, this);
    }

    private boolean isUneven(PoolSnapshot snapshot, LoadView loads) {
        double sum = 0;
        double most = 0;
        int count = 0;
        for (int i = 0; i < snapshot.size(); i++) {
            int inFlight = loads.inFlight(i);
            if (inFlight >= 0) {
                double load = loads.load(i, inFlight) / snapshot.decoder(i).weight();
                sum += load;
                count++;
                if (loads.load(i, inFlight) >= QUEUE) {
                    most = Math.max(most, load);
                }
            }
        }
        return most > 0 && most >= rule.factor() * sum / count;
    }

    private static Set<Incarnation> idle(PoolSnapshot snapshot, LoadView loads) {
        Set<Incarnation> idle = new HashSet<>();
        for (int i = 0; i < snapshot.size(); i++) {
            if (loads.inFlight(i) == 0 && loads.load(i, 0) == 0) {
                idle.add(snapshot.decoder(i).incarnation());
            }
        }
        return idle;
    }
}
