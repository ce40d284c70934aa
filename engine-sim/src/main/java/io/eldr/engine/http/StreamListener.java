package io.eldr.engine.http;

import io.eldr.engine.prefill.Prefilled;
import io.eldr.engine.request.FinishReason;
import io.eldr.engine.worker.GenerationListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Writes a generation as events. */
final class StreamListener implements GenerationListener {
    private final Events events;
    private final int resetAfter;
    private final Runnable reset;
    private final Sinks.Many<byte[]> sink = Sinks.many().unicast().onBackpressureBuffer();
    private int sent;

    /**
     * @param resetAfter after how many tokens the connection breaks; a number that is never reached for none
     * @param reset breaks it
     */
    StreamListener(Events events, int resetAfter, Runnable reset) {
        this.events = events;
        this.resetAfter = resetAfter;
        this.reset = reset;
        events.opening().ifPresent(sink::tryEmitNext);
    }

    /** The events, for one subscriber. */
    Flux<byte[]> bytes() {
        return sink.asFlux();
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
        sink.tryEmitNext(events.token(index));
    }

    @Override
    public void onEnd(FinishReason reason) {
        if (sent >= resetAfter) {
            reset.run();
            return;
        }
        events.usage().ifPresent(sink::tryEmitNext);
        sink.tryEmitNext(events.done());
        sink.tryEmitComplete();
    }
}
