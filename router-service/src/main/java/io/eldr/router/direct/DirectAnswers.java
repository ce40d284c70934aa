package io.eldr.router.direct;

import io.eldr.service.problem.Problems;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import org.springframework.http.MediaType;
import org.springframework.web.ErrorResponse;

/** Answers to direct calls. */
public final class DirectAnswers {
    private DirectAnswers() {}

    /** 200 with a body. */
    public static FullHttpResponse json(byte[] body) {
        return withBody(HttpResponseStatus.OK, MediaType.APPLICATION_JSON_VALUE, body);
    }

    /** 204. */
    public static FullHttpResponse nothing() {
        return answer(HttpResponseStatus.NO_CONTENT, Unpooled.EMPTY_BUFFER);
    }

    /** A problem, with the headers that belong to it. */
    public static FullHttpResponse problem(ErrorResponse refusal) {
        FullHttpResponse answer = withBody(
                HttpResponseStatus.valueOf(refusal.getStatusCode().value()),
                MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                Problems.toJson(refusal.getBody()));
        refusal.getHeaders().forEach((name, values) -> answer.headers().set(name, values));
        return answer;
    }

    private static FullHttpResponse withBody(HttpResponseStatus status, String contentType, byte[] body) {
        FullHttpResponse answer = answer(status, Unpooled.wrappedBuffer(body));
        answer.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return answer;
    }

    private static FullHttpResponse answer(HttpResponseStatus status, ByteBuf body) {
        FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
        answer.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store").set("X-Content-Type-Options", "nosniff");
        return answer;
    }
}
