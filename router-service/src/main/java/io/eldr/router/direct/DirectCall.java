package io.eldr.router.direct;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Optional;

/**
 * A call that can be answered at once and without waiting for anything. The web framework has the same call and answers
 * whatever is not plain: every refusal of input is its own, in its words.
 */
public interface DirectCall {
    /** Whether a request may be one of these, by its head; its body is kept then. */
    boolean isMeant(HttpRequest head);

    /** The answer; empty where nothing was done and the framework is to answer. */
    Optional<FullHttpResponse> answer(HttpRequest head, byte[] body);
}
