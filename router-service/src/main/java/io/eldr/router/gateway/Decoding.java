package io.eldr.router.gateway;

import io.eldr.core.load.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that is with a decode worker, whose answer goes to the client piece by piece as it comes. A client that reads
 * slowly slows the worker down; one that leaves ends its work.
 */
final class Decoding implements ClientExchange.Stage, AnswerListener {
    private static final Logger log = LoggerFactory.getLogger(Decoding.class);
    private static final int MOST_ERROR = 1 << 20;
    private static final int FIRST_ERROR = 400;

    private final DecodeStep step;
    private final DecodeStep.Handover handover;
    private final DecodeStep.Seat seat;
    private final Consumer<DecodeStep.Spent> onSpent;
    private final ClientExchange client;
    private final EngineCall call;
    private final WorkerWatch.Waiting waiting;
    private final long dispatched = System.nanoTime();
    private Optional<Head> head = Optional.empty();
    private Optional<WholeAnswer> error = Optional.empty();
    private Optional<GatewaySamples.Watch> sample = Optional.empty();
    private boolean streamed;
    private boolean over;

    private record Head(int status, HttpHeaders headers) {}

    Decoding(DecodeStep step, DecodeStep.Handover handover, DecodeStep.Seat seat, Consumer<DecodeStep.Spent> onSpent) {
        this.step = step;
        this.handover = handover;
        this.seat = seat;
        this.onSpent = onSpent;
        this.client = handover.job().exchange();
        this.call = step.call(handover, seat, this);
        this.waiting = step.watch(handover, seat, this::failed);
    }

    void begin() {
        client.enter(this);
        client.engines().send(call);
    }

    @Override
    public void written() {
        handover.held().fetched();
    }

    @Override
    public void begun(int status, HttpHeaders headers) {
        waiting.stop();
        step.firstByte(handover, System.nanoTime() - dispatched);
        if (status >= FIRST_ERROR) {
            error = Optional.of(new WholeAnswer(status, headers, MOST_ERROR));
        } else {
            head = Optional.of(new Head(status, headers));
            sample = step.streams(handover, seat);
        }
    }

    @Override
    public void piece(ByteBuf bytes) {
        if (error.isPresent()) {
            if (!error.get().add(bytes)) {
                failed(new EngineClient.BrokenException("its error has more than a megabyte"));
            }
            return;
        }
        beginAnswer();
        sample.ifPresent(watch -> watch.see(bytes));
        if (!client.write(bytes)) {
            call.mayCome(false);
        }
    }

    /** Not before the first byte: up to then another worker may be asked. */
    private void beginAnswer() {
        if (!streamed) {
            streamed = true;
            if (!client.isBegun()) {
                Head begun = head.orElseThrow();
                step.answers().begin(handover, seat.placed(), begun.status(), begun.headers());
            }
        }
    }

    @Override
    public void pause() {
        if (streamed) {
            client.flush();
        }
    }

    @Override
    public void mayCome(boolean more) {
        call.mayCome(more);
    }

    @Override
    public void complete() {
        goOn(() -> {
            if (error.isPresent()) {
                step.refused(handover, seat, error.get(), onSpent);
                return;
            }
            beginAnswer();
            step.close(seat, Outcome.COMPLETED);
            sample.ifPresent(GatewaySamples.Watch::completed);
            step.answers().finish(handover.job(), GatewayMetrics.End.COMPLETED);
        });
    }

    @Override
    public void failed(RuntimeException why) {
        goOn(() -> {
            call.cancel();
            if (streamed) {
                step.close(seat, Outcome.DECODER_FAILED);
                step.answers().breakOff(handover.job(), GatewayMetrics.End.BROKEN_OFF);
            } else {
                step.failed(handover, seat, why, onSpent);
            }
        });
    }

    @Override
    public void leave() {
        if (ends()) {
            call.cancel();
            step.close(seat, Outcome.ABORTED);
            handover.held().letGo();
            step.answers().end(handover.job(), GatewayMetrics.End.ABORTED);
        }
    }

    private void goOn(Runnable next) {
        if (!ends()) {
            return;
        }
        try {
            next.run();
        } catch (RuntimeException fault) {
            log.error("A request failed in the gateway", fault);
            step.close(seat, Outcome.ABORTED);
            step.fail(handover, GatewayException.internal());
        }
    }

    private boolean ends() {
        boolean first = !over;
        over = true;
        waiting.stop();
        return first;
    }
}
