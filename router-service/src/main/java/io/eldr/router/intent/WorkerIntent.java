package io.eldr.router.intent;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A worker that the operator registered.
 *
 * @param slot its stable name in the pool
 * @param uid tells this registration from an earlier or later one of the same slot
 * @param weight its capacity relative to the others
 * @param maxInFlight the most requests it may have in flight; empty for no limit
 * @param draining whether it is to get no more traffic
 * @param revision the model revision it runs, where it was said
 */
public record WorkerIntent(
        String slot,
        String uid,
        Role role,
        String url,
        double weight,
        OptionalInt maxInFlight,
        Probe probe,
        boolean draining,
        Optional<String> revision) {

    /** What a worker does. */
    public enum Role {
        PREFILL,
        DECODE
    }

    /** How it is found out whether a worker can take traffic. */
    public enum Probe {
        /** It can from the moment it is registered. */
        NONE,
        /** It can once {@code GET {url}/health} answers 200. */
        HTTP
    }
}
