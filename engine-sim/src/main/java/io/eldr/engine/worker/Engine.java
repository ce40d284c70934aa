package io.eldr.engine.worker;

import io.eldr.engine.decode.Decoder;
import io.eldr.engine.decode.DecoderListener;
import io.eldr.engine.decode.ModelTime;
import io.eldr.engine.decode.Sequence;
import io.eldr.engine.metrics.WorkerGauges;
import io.eldr.engine.metrics.WorkerMetrics;
import io.eldr.engine.prefill.PrefillQueue;
import io.eldr.engine.request.GenerationRequest;
import io.eldr.engine.request.KvTransfer;
import io.eldr.engine.request.Output;
import io.eldr.engine.request.RequestRefusedException;
import io.eldr.engine.transfer.TransferDirectory;
import io.eldr.engine.transfer.Transfers;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * One life of a worker. As in vLLM, every worker can do everything: prefill and decode by itself, prefill for another one and
 * keep the KV, or pull KV and decode. Prefill does not slow down the decode steps beside it, since workers of a pool do one or
 * the other.
 */
public final class Engine {
    private final EngineSettings settings;
    private final ModelTime time;
    private final TransferDirectory directory;
    private final Transfers transfers;
    private final WorkerMetrics metrics = new WorkerMetrics();
    private final Decoder decoder;
    private final PrefillQueue prefills;
    private final AtomicIntegerArray pulling;
    private volatile boolean alive = true;

    /** @param id unique among all lives of all workers */
    public Engine(String id, EngineSettings settings, ModelTime time, TransferDirectory directory) {
        this.settings = settings;
        this.pulling = new AtomicIntegerArray(settings.ranks());
        this.time = time;
        this.directory = directory;
        this.transfers = new Transfers(id, settings.lease(), time, this::onFreed);
        this.decoder = new Decoder(settings.model(), time, settings.maxSequences(), new DecoderListener() {
            @Override
            public void onStep(double millis, int batch, int activeExperts) {
                metrics.onStep(millis, batch, activeExperts);
            }

            @Override
            public void onPreemption() {
                metrics.onPreemption();
            }
        });
        this.prefills = new PrefillQueue(
                settings.model(),
                time,
                settings.recordings().geometry(),
                settings.prefixCacheTokens(),
                transfers::pinnedTokens);
        directory.add(transfers);
    }

    public String id() {
        return transfers.engineId();
    }

    public WorkerMetrics metrics() {
        return metrics;
    }

    public WorkerGauges gauges() {
        long capacity = settings.model().constants().kvCapacityTokens();
        double used = (double) (decoder.kvTokens() + transfers.pinnedTokens()) / capacity;
        return new WorkerGauges(
                IntStream.range(0, settings.ranks()).mapToObj(this::rank).toList(),
                Math.min(1, used),
                capacity,
                transfers.pinned());
    }

    private WorkerGauges.Rank rank(int rank) {
        return new WorkerGauges.Rank(
                decoder.running(rank) + prefills.running(rank),
                decoder.waiting(rank) + prefills.waiting(rank) + pulling.get(rank));
    }

    /**
     * Begins a generation.
     *
     * @throws RequestRefusedException if the worker that keeps its KV cannot be reached, or there is no such rank
     */
    public Generation start(GenerationRequest request, ListenerFactory listener) {
        Arrival arrival = new Arrival(request, listener, time.nowSeconds(), rankFor(request));
        return switch (request.kv()) {
            case KvTransfer.Consume consume -> pull(arrival, consume);
            case KvTransfer.Local _ when request.duration().isPresent() -> hold(arrival);
            case KvTransfer.Produce _, KvTransfer.Local _ -> prefill(arrival);
        };
    }

    /** A request that has just come, and its place. */
    private record Arrival(GenerationRequest request, ListenerFactory listener, double at, int rank) {}

    private Generation begun(Arrival arrival, Output output) {
        return new Generation(
                arrival.request(), output, this, arrival.listener().of(output), arrival.at(), arrival.rank());
    }

    /** As vLLM: the one that the client names, else the least loaded. */
    private int rankFor(GenerationRequest request) {
        int ranks = settings.ranks();
        if (request.rank().isEmpty()) {
            return ranks == 1
                    ? 0
                    : IntStream.range(0, ranks)
                            .boxed()
                            .min(Comparator.comparingInt(rank -> rank(rank).requests()))
                            .orElseThrow();
        }
        int asked = request.rank().getAsInt();
        if (asked < 0 || asked >= ranks) {
            throw RequestRefusedException.badRequest(
                    "data_parallel_rank", "data_parallel_rank " + asked + " is out of range [0, " + ranks + ").");
        }
        return asked;
    }

    /** Makes the listener of a generation once it is known what will come out of it. */
    @FunctionalInterface
    public interface ListenerFactory {
        GenerationListener of(Output output);
    }

    /** Somebody who was to pull these blocks will not; no matter if they are gone. */
    public void release(KvTransfer.Consume consume) {
        directory.of(consume.engineId()).ifPresent(source -> source.release(consume.requestId()));
    }

    /** Lets the requests that run for a duration of their own come to their end at once. */
    public void finishHeld() {
        decoder.finishHeld();
    }

    /** Ends the leases of all blocks that no decoder has claimed. */
    public void expireTransfers() {
        transfers.expireAll();
    }

    /** Dies: nothing of what runs is heard of again. */
    public void stop() {
        alive = false;
        directory.remove(transfers);
        decoder.stop();
        prefills.stop();
        transfers.stop();
    }

    /** A request that only takes its time needs no prefill. */
    private Generation hold(Arrival arrival) {
        Generation generation = begun(arrival, arrival.request().output());
        decode(generation, 0);
        return generation;
    }

    private Generation prefill(Arrival arrival) {
        GenerationRequest request = arrival.request();
        Generation generation = begun(arrival, request.output());
        generation.enter(() -> {
            PrefillQueue.Job job = prefills.submit(request, arrival.rank(), prefilled -> {
                metrics.onPrefill(request.prompt().tokens(), prefilled.cachedTokens());
                if (generation.prefilled(prefilled)) {
                    afterPrefill(generation);
                }
            });
            return () -> prefills.cancel(job);
        });
        return generation;
    }

    /** The prefill itself makes the first token. */
    private void afterPrefill(Generation generation) {
        GenerationRequest request = generation.request();
        if (request.keepsKv()) {
            generation.enter(() -> {
                transfers.pin(request.requestId(), request.prompt().tokens());
                return () -> transfers.release(request.requestId());
            });
        }
        generation.onToken(0);
        if (request.length() == 1 || request.kv() instanceof KvTransfer.Produce) {
            generation.end(1, 0);
        } else {
            decode(generation, 1);
        }
    }

    private Generation pull(Arrival arrival, KvTransfer.Consume consume) {
        GenerationRequest request = arrival.request();
        Optional<Transfers> source = directory.of(consume.engineId());
        if (source.isEmpty()) {
            metrics.onFailedTransfer();
            throw RequestRefusedException.internal(
                    "KV load failure: the engine '" + consume.engineId() + "' cannot be reached");
        }
        boolean there = source.get().claim(consume.requestId(), () -> alive);
        Generation generation =
                begun(arrival, there ? request.output() : request.output().garbage());
        double millis = settings.model().handoffMillis(request.prompt().tokens());
        pulling.incrementAndGet(arrival.rank());
        AtomicBoolean pulls = new AtomicBoolean(true);
        Runnable leave = () -> {
            if (pulls.getAndSet(false)) {
                pulling.decrementAndGet(arrival.rank());
                if (there) {
                    source.get().release(consume.requestId());
                }
            }
        };
        generation.enter(() -> {
            time.after(millis, () -> {
                if (alive && !generation.isOver()) {
                    leave.run();
                    metrics.onTransfer(request.prompt().tokens(), millis);
                    decode(generation, request.sentBefore());
                }
            });
            return leave;
        });
        return generation;
    }

    private void decode(Generation generation, int generated) {
        GenerationRequest request = generation.request();
        Sequence sequence = new Sequence(
                request.recorded(),
                request.prompt().tokens(),
                request.length(),
                generated,
                request.duration(),
                generation.rank(),
                generation);
        generation.enter(() -> {
            decoder.submit(sequence);
            return () -> decoder.cancel(sequence);
        });
    }

    void onFirstToken(double arrived) {
        metrics.onFirstToken(time.nowSeconds() - arrived);
    }

    void onEnd(GenerationRequest request, int generated, double arrived, double prefillSeconds, double tokenSeconds) {
        metrics.onEnd(
                request.finish(),
                request.prompt().tokens(),
                generated,
                request.maxTokens(),
                time.nowSeconds() - arrived,
                prefillSeconds,
                tokenSeconds);
    }

    void onAbort() {
        metrics.onAbort();
    }

    private void onFreed(boolean expired) {
        if (expired) {
            metrics.onExpiredTransfer();
        }
        prefills.roomMade();
    }
}
