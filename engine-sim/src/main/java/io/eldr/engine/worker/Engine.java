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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

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
    private final AtomicInteger pulling = new AtomicInteger();
    private volatile boolean alive = true;

    /** @param id unique among all lives of all workers */
    public Engine(String id, EngineSettings settings, ModelTime time, TransferDirectory directory) {
        this.settings = settings;
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
                decoder.running() + prefills.running(),
                decoder.waiting() + prefills.waiting() + pulling.get(),
                Math.min(1, used),
                capacity,
                transfers.pinned());
    }

    /**
     * Begins a generation.
     *
     * @throws RequestRefusedException if the worker that keeps its KV cannot be reached
     */
    public Generation start(GenerationRequest request, ListenerFactory listener) {
        double arrived = time.nowSeconds();
        return switch (request.kv()) {
            case KvTransfer.Consume consume -> pull(request, consume, listener, arrived);
            case KvTransfer.Local _ when request.duration().isPresent() -> hold(request, listener, arrived);
            case KvTransfer.Produce _, KvTransfer.Local _ -> prefill(request, listener, arrived);
        };
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
    private Generation hold(GenerationRequest request, ListenerFactory listener, double arrived) {
        Output output = request.output();
        Generation generation = new Generation(request, output, this, listener.of(output), arrived);
        decode(generation, 0);
        return generation;
    }

    private Generation prefill(GenerationRequest request, ListenerFactory listener, double arrived) {
        Output output = request.output();
        Generation generation = new Generation(request, output, this, listener.of(output), arrived);
        generation.enter(() -> {
            PrefillQueue.Job job = prefills.submit(request, prefilled -> {
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

    private Generation pull(
            GenerationRequest request, KvTransfer.Consume consume, ListenerFactory listener, double arrived) {
        Optional<Transfers> source = directory.of(consume.engineId());
        if (source.isEmpty()) {
            metrics.onFailedTransfer();
            throw RequestRefusedException.internal(
                    "KV load failure: the engine '" + consume.engineId() + "' cannot be reached");
        }
        boolean there = source.get().claim(consume.requestId(), () -> alive);
        Output output = there ? request.output() : request.output().garbage();
        Generation generation = new Generation(request, output, this, listener.of(output), arrived);
        double millis = settings.model().handoffMillis(request.prompt().tokens());
        pulling.incrementAndGet();
        AtomicInteger once = new AtomicInteger(1);
        Runnable leave = () -> {
            if (once.getAndSet(0) == 1) {
                pulling.decrementAndGet();
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
