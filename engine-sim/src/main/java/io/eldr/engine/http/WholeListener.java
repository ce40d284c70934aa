package io.eldr.engine.http;

import io.eldr.engine.prefill.Prefilled;
import io.eldr.engine.request.FinishReason;
import io.eldr.engine.worker.GenerationListener;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Writes a generation as one body, when it is over. */
final class WholeListener implements GenerationListener {
    private final Function<Optional<Prefilled>, byte[]> body;
    private final Sinks.One<byte[]> sink = Sinks.one();
    private Optional<Prefilled> prefilled = Optional.empty();

    /** @param body makes the answer, from what prefill saw if it was here */
    WholeListener(Function<Optional<Prefilled>, byte[]> body) {
        this.body = body;
    }

    Mono<byte[]> bytes() {
        return sink.asMono();
    }

    @Override
    public void onPrefilled(Prefilled prefilled) {
        this.prefilled = Optional.of(prefilled);
    }

    @Override
    public void onToken(int index) {}

    @Override
    public void onEnd(FinishReason reason) {
        sink.tryEmitValue(body.apply(prefilled));
    }
}
