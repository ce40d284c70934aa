package io.eldr.engine.decode;

import io.eldr.core.cost.ActiveExperts;
import io.eldr.core.cost.DecoderModel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Continuous batching. Sequences join and leave between steps; each step loads the union of the experts of its sequences'
 * next tokens and takes as long as the decoder model says. At most so many run at once, and no more than the KV blocks hold;
 * the rest waits in order. Where contexts outgrow the blocks, the newest sequence goes back to wait.
 *
 * <p>A sequence with a duration of its own has a place among the running, but no part in the steps.
 */
public final class Decoder {
    private final DecoderModel model;
    private final ModelTime time;
    private final DecoderListener listener;
    private final int maxSequences;
    private final ActiveExperts union;
    private final Deque<Sequence> waiting = new ArrayDeque<>();
    private final Set<Sequence> running = new LinkedHashSet<>();
    private final Set<Sequence> held = new HashSet<>();
    private boolean stepping;
    private boolean stopped;

    /** @param maxSequences how many run at once */
    public Decoder(DecoderModel model, ModelTime time, int maxSequences, DecoderListener listener) {
        this.model = model;
        this.time = time;
        this.maxSequences = maxSequences;
        this.listener = listener;
        this.union =
                new ActiveExperts(model.constants().layers(), model.constants().experts());
    }

    public synchronized void submit(Sequence sequence) {
        waiting.addLast(sequence);
        if (sequence.duration().isPresent()) {
            admit();
        }
        wake();
    }

    /** Takes a sequence off, wherever it is; nothing more is heard of it. */
    public synchronized void cancel(Sequence sequence) {
        if (running.remove(sequence) || held.remove(sequence) || waiting.remove(sequence)) {
            wake();
        }
    }

    /** Lets all that runs for a duration of its own come to its end at once. */
    public synchronized void finishHeld() {
        for (Sequence sequence : List.copyOf(held)) {
            held.remove(sequence);
            while (!sequence.isDone()) {
                sequence.advance(0);
            }
            sequence.end();
        }
        wake();
    }

    /** Ends everything without a word, as a crash does. */
    public synchronized void stop() {
        stopped = true;
        running.clear();
        held.clear();
        waiting.clear();
    }

    /** How many run on a data-parallel rank. */
    public synchronized int running(int rank) {
        return on(rank, running) + on(rank, held);
    }

    /** How many wait to run on a data-parallel rank. */
    public synchronized int waiting(int rank) {
        return on(rank, waiting);
    }

    private static int on(int rank, Collection<Sequence> sequences) {
        int count = 0;
        for (Sequence sequence : sequences) {
            count += sequence.rank() == rank ? 1 : 0;
        }
        return count;
    }

    /** The tokens of context of everything that runs. */
    public synchronized long kvTokens() {
        return context(running) + context(held);
    }

    private void wake() {
        if (!stepping && !stopped && !(waiting.isEmpty() && running.isEmpty())) {
            stepping = true;
            time.after(0, this::beginStep);
        }
    }

    private void admit() {
        long kv = kvTokens();
        while (!waiting.isEmpty() && running.size() + held.size() < maxSequences) {
            Sequence next = waiting.getFirst();
            boolean alone = running.isEmpty() && held.isEmpty();
            if (!alone && kv + next.context() + 1 > model.constants().kvCapacityTokens()) {
                return;
            }
            waiting.removeFirst();
            kv += next.context();
            if (next.duration().isPresent()) {
                held.add(next);
                hold(next, next.duration().get().dividedBy(next.remaining()));
            } else {
                running.add(next);
            }
        }
    }

    /** Tokens at even distances of real time. */
    private void hold(Sequence sequence, Duration period) {
        time.afterReal(period, () -> {
            synchronized (this) {
                if (stopped || !held.contains(sequence)) {
                    return;
                }
                sequence.advance(period.toNanos() / 1e6);
                if (!sequence.isDone()) {
                    hold(sequence, period);
                    return;
                }
                held.remove(sequence);
                sequence.end();
                wake();
            }
        });
    }

    private synchronized void beginStep() {
        if (stopped) {
            return;
        }
        admit();
        long kv = kvTokens();
        while (running.size() > 1 && kv + running.size() > model.constants().kvCapacityTokens()) {
            kv -= preemptNewest();
        }
        if (running.isEmpty()) {
            stepping = false;
            return;
        }
        union.clear();
        for (Sequence sequence : running) {
            sequence.addNext(union);
        }
        int active = union.total();
        double millis = model.stepMillis(active, running.size(), kv);
        List<Sequence> batch = new ArrayList<>(running);
        time.after(millis, () -> endStep(batch, millis, active));
    }

    private synchronized void endStep(List<Sequence> batch, double millis, int active) {
        if (stopped) {
            return;
        }
        listener.onStep(millis, batch.size(), active);
        for (Sequence sequence : batch) {
            if (running.contains(sequence)) {
                sequence.advance(millis);
                if (sequence.isDone()) {
                    running.remove(sequence);
                    sequence.end();
                }
            }
        }
        beginStep();
    }

    private int preemptNewest() {
        Sequence newest = new ArrayList<>(running).getLast();
        running.remove(newest);
        waiting.addFirst(newest);
        listener.onPreemption();
        return newest.context();
    }

    private static long context(Set<Sequence> sequences) {
        long tokens = 0;
        for (Sequence sequence : sequences) {
            tokens += sequence.context();
        }
        return tokens;
    }
}
