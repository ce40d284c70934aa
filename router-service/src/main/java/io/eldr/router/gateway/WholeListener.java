package io.eldr.router.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads an answer whole. */
final class WholeListener implements AnswerListener {
    private final int limit;
    private final Consumer<WholeAnswer> onAnswer;
    private final Consumer<RuntimeException> onFailure;
    private Optional<WholeAnswer> answer = Optional.empty();
    private boolean tooLarge;

    /** @param limit what an answer may have; a larger one is a failure of the engine */
    WholeListener(int limit, Consumer<WholeAnswer> onAnswer, Consumer<RuntimeException> onFailure) {
        this.limit = limit;
        this.onAnswer = onAnswer;
        this.onFailure = onFailure;
    }

    @Override
    public void begun(int status, HttpHeaders headers) {
        answer = Optional.of(new WholeAnswer(status, headers, limit));
    }

    @Override
    public void piece(ByteBuf bytes) {
        tooLarge |= !answer.orElseThrow().add(bytes);
    }

    @Override
    public void complete() {
        if (tooLarge) {
            onFailure.accept(new EngineClient.BrokenException("its answer is larger than " + limit + " bytes"));
        } else {
            onAnswer.accept(answer.orElseThrow());
        }
    }

    @Override
    public void failed(RuntimeException why) {
        onFailure.accept(why);
    }
}
