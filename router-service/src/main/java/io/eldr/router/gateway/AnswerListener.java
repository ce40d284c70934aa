package io.eldr.router.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Hears what comes of a request to an engine, all of it on the event loop that sent it: perhaps {@link #written}, perhaps
 * {@link #begun} and pieces, and at last either {@link #complete} or {@link #failed}. After a cancel it hears nothing.
 */
interface AnswerListener {
    /** From now on the engine may see the request. */
    default void written() {}

    /** The head of the answer is there. */
    void begun(int status, HttpHeaders headers);

    /** A piece of the body, which belongs to who gets it. */
    void piece(ByteBuf bytes);

    /** Nothing more has come for now. */
    default void pause() {}

    void complete();

    /** @param why {@link EngineClient.NotReachedException} or {@link EngineClient.BrokenException} */
    void failed(RuntimeException why);
}
