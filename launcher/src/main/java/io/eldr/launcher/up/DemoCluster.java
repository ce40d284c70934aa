package io.eldr.launcher.up;

import java.util.ArrayList;
import java.util.List;

/**
 * The simulated engines of the demo and what they are sent: two clusters of 2 prefill and 8 decode workers, one behind each
 * pool, in one process. Its workers have places: the decoders of the first pool, those of the second, then the prefill
 * workers likewise.
 *
 * <p>Time and traffic are chosen so that a decode step holds 16 requests or so, where it matters which ones, and all of it
 * together leaves more than half of two cores idle (docs/engine-sim.md has the figures).
 */
final class DemoCluster {

    /** Routed by expert locality. */
    static final String BY_LOCALITY = "demo";

    /** Its twin, routed by load alone. */
    static final String BY_LOAD = "demo-jsq";

    static final List<String> POOLS = List.of(BY_LOCALITY, BY_LOAD);

    /** How many of each role a pool has. */
    static final int DECODERS = 8;

    static final int PREFILLERS = 2;

    static final int WORKERS = POOLS.size() * (DECODERS + PREFILLERS);

    /** Real seconds for each second that is simulated. */
    static final double TIME_SCALE = 4;

    /** Requests a second to each pool. */
    static final double RATE = 8;

    /** Tokens of each answer. */
    static final int MAX_TOKENS = 192;

    private DemoCluster() {}

    /** @param pool its index in {@link #POOLS} */
    static int decoderPlace(int pool, int index) {
        return pool * DECODERS + index;
    }

    static int prefillerPlace(int pool, int index) {
        return POOLS.size() * DECODERS + pool * PREFILLERS + index;
    }

    /** The workers of one pool. */
    static List<PoolDeclaration.Worker> workers(int pool, Addresses addresses) {
        List<PoolDeclaration.Worker> workers = new ArrayList<>();
        for (int i = 0; i < DECODERS; i++) {
            workers.add(PoolDeclaration.Worker.decode(i, addresses.worker(decoderPlace(pool, i))));
        }
        for (int i = 0; i < PREFILLERS; i++) {
            workers.add(PoolDeclaration.Worker.prefill(i, addresses.worker(prefillerPlace(pool, i))));
        }
        return workers;
    }

    /** What a person calls the worker at a place. */
    static String nameOf(int place) {
        int decoders = POOLS.size() * DECODERS;
        return place < decoders
                ? "decoder-" + place % DECODERS + " of pool " + POOLS.get(place / DECODERS)
                : "prefiller-" + (place - decoders) % PREFILLERS + " of pool "
                        + POOLS.get((place - decoders) / PREFILLERS);
    }
}
