package io.eldr.simulator.cluster;

import io.eldr.core.cost.DecoderModel;
import io.eldr.simulator.workload.ServedRequests;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A decoder: continuous batching under a limit of sequences and of KV blocks. A request that comes waits until there is room
 * for its prompt, then pulls its blocks from the prefill worker, and joins the batch between two steps. Where the contexts
 * of the batch outgrow the blocks, the newest request is put back to wait and its KV is computed again later.
 */
final class DecodeWorker {
    private static final double SECONDS = 1e-3;

    private final DecoderModel model;
    private final ServedRequests served;
    private final UnionBits union;
    private final Deque<Flight> waiting = new ArrayDeque<>();
    private final List<Flight> pulling = new ArrayList<>();
    private final Deque<Flight> ready = new ArrayDeque<>();
    private final List<Flight> running = new ArrayList<>();
    private Optional<RankMasks> ranks;
    private double recomputeMillis;
    /** The context of the batch, and of what was given room to join it. */
    private long batchTokens;

    private long joiningTokens;
    private double stepEnds = Flight.NOT_YET;
    private int lastUnion;
    private int lastBatch;
    private boolean alive = true;

    /** @param ranks where its experts lie; empty: all on one rank */
    DecodeWorker(DecoderModel model, ServedRequests served, Optional<RankMasks> ranks) {
        this.model = model;
        this.served = served;
        this.ranks = ranks;
        this.union = new UnionBits(served.words());
    }

    boolean isAlive() {
        return alive;
    }

    /** Everything that was sent here and is not done: what the engine reports as running and waiting. */
    int inFlight() {
        return waiting.size() + pulling.size() + ready.size() + running.size();
    }

    /** What cannot run for want of room. */
    int waiting() {
        return waiting.size();
    }

    /** The share of its KV blocks in use, 0 to 1. */
    double kvUse() {
        return Math.min(1.0, (double) (batchTokens + joiningTokens) / capacity());
    }

    void place(Optional<RankMasks> experts) {
        ranks = experts;
    }

    void submit(Flight flight) {
        waiting.addLast(flight);
    }

    /** The next request for which there is room; it pulls from now on, or joins at once where there is nothing to pull. */
    Optional<Flight> admit() {
        Flight next = waiting.peekFirst();
        if (next == null || !hasRoom(next)) {
            return Optional.empty();
        }
        waiting.removeFirst();
        next.context = next.tokens();
        joiningTokens += next.context;
        if (next.evicted) {
            next.evicted = false;
            recomputeMillis += model.prefillMillis(next.context);
            ready.addLast(next);
        } else {
            pulling.add(next);
        }
        return Optional.of(next);
    }

    private boolean hasRoom(Flight next) {
        int here = pulling.size() + ready.size() + running.size();
        return here == 0
                || (here < model.constants().maxSequences()
                        && batchTokens + joiningTokens + next.tokens() + 1 <= capacity());
    }

    private long capacity() {
        return model.constants().kvCapacityTokens();
    }

    /** Its blocks are here. */
    void pulled(Flight flight) {
        if (!pulling.remove(flight)) {
            throw new IllegalStateException("request " + flight.request + " was not being pulled");
        }
        ready.addLast(flight);
    }

    boolean isIdle() {
        return stepEnds == Flight.NOT_YET;
    }

    /** @return when the step ends that begins now; empty where there is nothing to do */
    Optional<Double> beginStep(double now) {
        for (Flight next = ready.pollFirst(); next != null; next = ready.pollFirst()) {
            running.add(next);
            joiningTokens -= next.context;
            batchTokens += next.context;
        }
        while (running.size() > 1 && batchTokens + joiningTokens + running.size() > capacity()) {
            evictNewest();
        }
        if (running.isEmpty()) {
            return Optional.empty();
        }
        lastBatch = running.size();
        lastUnion = unionOfNextTokens();
        double millis = model.stepMillis(lastUnion, lastBatch, batchTokens) + recomputeMillis;
        recomputeMillis = 0;
        stepEnds = now + millis * SECONDS;
        return Optional.of(stepEnds);
    }

    private int unionOfNextTokens() {
        union.clear();
        long[] bank = served.bank();
        for (int i = 0; i < running.size(); i++) {
            union.add(bank, running.get(i).cursor);
        }
        return ranks.isPresent() ? union.onBusiestRanks(ranks.get()) : union.count();
    }

    private void evictNewest() {
        Flight newest = running.removeLast();
        batchTokens -= newest.context;
        newest.evicted = true;
        waiting.addFirst(newest);
    }

    /** Whether it is the present step that ends then, and not one that a failure broke off. */
    boolean isStepOf(double end) {
        return stepEnds == end;
    }

    /**
     * The step is over: every request of the batch has one more token.
     *
     * @param done takes those that have all of theirs
     */
    void endStep(List<Flight> done) {
        double now = stepEnds;
        stepEnds = Flight.NOT_YET;
        int kept = 0;
        for (int i = 0; i < running.size(); i++) {
            Flight flight = running.get(i);
            flight.generated++;
            flight.context++;
            if (flight.firstToken == Flight.NOT_YET) {
                flight.firstToken = now;
            }
            if (--flight.left == 0) {
                batchTokens -= flight.context - 1;
                done.add(flight);
            } else {
                flight.advance(served.words());
                running.set(kept++, flight);
            }
        }
        running.subList(kept, running.size()).clear();
        batchTokens += kept;
    }

    /** The distinct experts of the last step, summed over layers; of the busiest rank where there are several. */
    int lastUnion() {
        return lastUnion;
    }

    int lastBatch() {
        return lastBatch;
    }

    /** Dies. @return everything it had */
    List<Flight> fail() {
        List<Flight> lost = new ArrayList<>(running);
        lost.addAll(ready);
        lost.addAll(pulling);
        lost.addAll(waiting);
        running.clear();
        ready.clear();
        pulling.clear();
        waiting.clear();
        batchTokens = 0;
        joiningTokens = 0;
        recomputeMillis = 0;
        stepEnds = Flight.NOT_YET;
        alive = false;
        return lost;
    }

    /** Comes back, empty. */
    void restart() {
        alive = true;
    }
}
