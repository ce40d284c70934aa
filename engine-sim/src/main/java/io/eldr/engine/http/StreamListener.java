package io.eldr.engine.http;

import io.eldr.engine.prefill.Prefilled;
import io.eldr.engine.request.FinishReason;
import io.eldr.engine.worker.GenerationListener;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.Executor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Writes a generation as events. Each event goes out as soon as the connection's thread comes to it; those that have come up
 * until then go out together, as with a server that writes faster than its client reads.
 */
final class StreamListener implements GenerationListener {
    private final Events events;
    private final int resetAfter;
    private final Runnable reset;
    /** Says that there is something to write; the bytes themselves wait in {@code unsent}. */
    private final Sinks.Many<Boolean> news = Sinks.many().unicast().onBackpressureBuffer();
    /** Guarded by itself. */
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream(512);

    private int sent;

    /**
     * @param resetAfter after how many tokens the connection breaks; a number that is never reached for none
     * @param reset breaks it
     */
    StreamListener(Events events, int resetAfter, Runnable reset) {
        this.events = events;
        this.resetAfter = resetAfter;
        this.reset = reset;
        events.opening().ifPresent(this::write);
    }

    /**
     * The events, for one subscriber.
     *
     * @param thread the connection's
     */
    Flux<byte[]> bytes(Executor thread) {
        return news.asFlux()
                .publishOn(Schedulers.fromExecutor(thread))
                .map(_ -> takeUnsent())
                // Taken by the news before.
                .filter(bytes -> bytes.length > 0);
    }

    private void write(byte[] event) {
        boolean first;
        synchronized (unsent) {
            first = unsent.size() == 0;
            unsent.writeBytes(event);
        }
        if (first) {
            news.tryEmitNext(true);
        }
    }

    private byte[] takeUnsent() {
        synchronized (unsent) {
            byte[] all = unsent.toByteArray();
            unsent.reset();
            return all;
        }
    }

    @Override
    public void onPrefilled(Prefilled prefilled) {}

    @Override
    public void onToken(int index) {
        if (sent == resetAfter) {
            reset.run();
            return;
        }
        sent++;
        write(events.token(index));
    }

    @Override
    public void onEnd(FinishReason reason) {
        if (sent >= resetAfter) {
            reset.run();
            return;
        }
        events.usage().ifPresent(this::write);
        write(events.done());
        news.tryEmitComplete();
    }
}
