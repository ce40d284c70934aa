package io.eldr.engine.prefill;

import io.eldr.core.cost.DecoderModel;
import io.eldr.core.signature.Geometry;
import io.eldr.engine.decode.ModelTime;
import io.eldr.engine.request.GenerationRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Prompts, one at a time, first come first served. A prompt that is to be handed over begins only when the blocks that others
 * still keep leave it room: where decoders do not pull, prefill comes to rest.
 */
public final class PrefillQueue {
    private final DecoderModel model;
    private final ModelTime time;
    private final PrefixCache cache;
    private final LongSupplier keptTokens;
    private final Deque<Job> waiting = new ArrayDeque<>();
    private Optional<Job> current = Optional.empty();
    private boolean stopped;

    /** A prompt in the queue. */
    public static final class Job {
        private final GenerationRequest request;
        private final int rank;
        private final Consumer<Prefilled> onDone;

        private Job(GenerationRequest request, int rank, Consumer<Prefilled> onDone) {
            this.request = request;
            this.rank = rank;
            this.onDone = onDone;
        }
    }

    /**
     * @param cacheTokens how many tokens the prefix cache holds
     * @param keptTokens how many tokens of KV wait for decoders
     */
    public PrefillQueue(
            DecoderModel model, ModelTime time, Geometry geometry, int cacheTokens, LongSupplier keptTokens) {
        this.model = model;
        this.time = time;
        this.cache = new PrefixCache(geometry, cacheTokens);
        this.keptTokens = keptTokens;
    }

    /**
     * @param rank the data-parallel rank that it runs on
     * @param onDone is called on a timer's thread when the prompt's KV is there
     */
    public synchronized Job submit(GenerationRequest request, int rank, Consumer<Prefilled> onDone) {
        Job job = new Job(request, rank, onDone);
        waiting.addLast(job);
        begin();
        return job;
    }

    /** Takes a prompt off; what is computed already is computed to its end, as in vLLM's step. */
    public synchronized void cancel(Job job) {
        waiting.remove(job);
        begin();
    }

    /** Blocks came free. */
    public synchronized void roomMade() {
        begin();
    }

    /** Ends everything without a word, as a crash does. */
    public synchronized void stop() {
        stopped = true;
        waiting.clear();
        current = Optional.empty();
    }

    /** How many are computed on a data-parallel rank: none or one. */
    public synchronized int running(int rank) {
        return current.filter(job -> job.rank == rank).isPresent() ? 1 : 0;
    }

    /** How many wait for a data-parallel rank. */
    public synchronized int waiting(int rank) {
        return (int) waiting.stream().filter(job -> job.rank == rank).count();
    }

    private void begin() {
        if (stopped || current.isPresent() || waiting.isEmpty()) {
            return;
        }
        Job job = waiting.getFirst();
        int tokens = job.request.prompt().tokens();
        long kept = keptTokens.getAsLong();
        if (kept > 0 && kept + tokens > model.constants().kvCapacityTokens()) {
            return;
        }
        waiting.removeFirst();
        current = Optional.of(job);
        int cached = cache.cachedTokens(job.request);
        double millis = model.prefillMillis(tokens - cached);
        time.after(millis, () -> finish(job, cached, millis));
    }

    private void finish(Job job, int cached, double millis) {
        Prefilled prefilled;
        synchronized (this) {
            if (stopped) {
                return;
            }
            prefilled = new Prefilled(cache.count(job.request), cached, millis);
        }
        job.onDone.accept(prefilled);
        synchronized (this) {
            current = Optional.empty();
            begin();
        }
    }
}
