package io.eldr.simulator.cluster;

import io.eldr.core.cost.DecoderModel;
import io.eldr.simulator.workload.Workload;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * A prefill worker: prompts one at a time, first come first served. Blocks are held until the decoder has pulled them; where
 * the next prompt finds no room beside them it does not begin, so decoders that are full bring prefill to rest.
 */
final class PrefillWorker {
    private static final double SECONDS = 1e-3;

    private final DecoderModel model;
    private final Workload workload;
    private final PrefixCache cache;
    private final Deque<Flight> waiting = new ArrayDeque<>();
    private Optional<Flight> current = Optional.empty();
    private long heldTokens;

    PrefillWorker(DecoderModel model, Workload workload, long cacheTokens) {
        this.model = model;
        this.workload = workload;
        this.cache = new PrefixCache(cacheTokens);
    }

    int queued() {
        return waiting.size() + (current.isPresent() ? 1 : 0);
    }

    /** What has not begun. */
    int waiting() {
        return waiting.size();
    }

    void submit(Flight flight) {
        waiting.addLast(flight);
    }

    /** @return when the prefill ends that begins now; empty where none can */
    Optional<Double> begin(double now) {
        Flight next = waiting.peekFirst();
        if (current.isPresent() || next == null || !hasRoom(next)) {
            return Optional.empty();
        }
        waiting.removeFirst();
        current = Optional.of(next);
        int cached = cache.take(workload.blocks(next.request), workload.repeat(next.request), next.promptTokens);
        return Optional.of(now + model.prefillMillis(next.tokens() - cached) * SECONDS);
    }

    private boolean hasRoom(Flight next) {
        return heldTokens == 0
                || heldTokens + next.tokens() <= model.constants().kvCapacityTokens();
    }

    /** The present prefill is over; its blocks are held from now on. */
    Flight finish() {
        Flight done = current.orElseThrow();
        current = Optional.empty();
        done.held = done.tokens();
        heldTokens += done.held;
        return done;
    }

    /** Its blocks were pulled. */
    void release(Flight flight) {
        heldTokens -= flight.held;
        flight.held = 0;
    }
}
