package io.eldr.engine.worker;

import io.eldr.engine.decode.Sequence;
import io.eldr.engine.decode.SequenceListener;
import io.eldr.engine.prefill.Prefilled;
import io.eldr.engine.request.GenerationRequest;
import io.eldr.engine.request.Output;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One request on its way through a worker. It ends once: with its last token, or by {@link #cancel}.
 *
 * <p>Its stages follow one another; {@code undo} says how the present one is left. A cancel may meet a change of stages, so
 * both hold this object's monitor, and take an engine part's monitor only inside it.
 */
public final class Generation implements SequenceListener {
    private final GenerationRequest request;
    private final Output output;
    private final Engine engine;
    private final GenerationListener listener;
    private final double arrived;
    private final int rank;
    private final AtomicBoolean over = new AtomicBoolean();
    private Runnable undo = () -> {};
    private double prefillSeconds;
    private boolean firstToken = true;

    Generation(
            GenerationRequest request,
            Output output,
            Engine engine,
            GenerationListener listener,
            double arrived,
            int rank) {
        this.request = request;
        this.output = output;
        this.engine = engine;
        this.listener = listener;
        this.arrived = arrived;
        this.rank = rank;
    }

    public GenerationRequest request() {
        return request;
    }

    /** The data-parallel rank that it runs on. */
    int rank() {
        return rank;
    }

    /** What it generates: the request's own output, or garbage if its KV was not there. */
    public Output output() {
        return output;
    }

    /** Leaves everything; does nothing once it is over. */
    public void cancel() {
        if (over.compareAndSet(false, true)) {
            synchronized (this) {
                undo.run();
            }
            engine.onAbort();
        }
    }

    boolean isOver() {
        return over.get();
    }

    /**
     * Goes to the next stage unless it is over.
     *
     * @param enter begins the stage and tells how it is left
     */
    void enter(Supplier<Runnable> enter) {
        synchronized (this) {
            if (!over.get()) {
                undo = enter.get();
            }
        }
    }

    /**
     * The prompt's KV is there, computed here.
     *
     * @return whether anybody still wants to know
     */
    boolean prefilled(Prefilled prefilled) {
        if (over.get()) {
            return false;
        }
        prefillSeconds = prefilled.millis() / 1e3;
        listener.onPrefilled(prefilled);
        return true;
    }

    @Override
    public void onToken(int index) {
        if (over.get()) {
            return;
        }
        if (firstToken) {
            firstToken = false;
            engine.onFirstToken(arrived);
        }
        listener.onToken(index);
    }

    @Override
    public void onEnd(Sequence sequence) {
        end(sequence.generated() - request.sentBefore(), sequence.millisPerToken() / 1e3);
    }

    /** All that it generates here is there. */
    void end(int generated, double tokenSeconds) {
        if (over.compareAndSet(false, true)) {
            engine.onEnd(request, generated, arrived, prefillSeconds, tokenSeconds);
            listener.onEnd(request.finish());
        }
    }
}
