package io.eldr.engine.http;

import io.eldr.engine.request.RequestRefusedException;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** Sends bodies of JSON. */
final class JsonReplies {
    private JsonReplies() {}

    static Mono<Void> send(HttpServerResponse response, int status, byte[] body) {
        return response.status(status)
                .header("content-type", "application/json")
                .header("content-length", Integer.toString(body.length))
                .sendByteArray(Mono.just(body))
                .then();
    }

    static Mono<Void> refuse(HttpServerResponse response, RequestRefusedException refusal) {
        return send(response, refusal.status(), Answers.bytes(Answers.error(refusal)));
    }
}
