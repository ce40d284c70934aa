package io.eldr.router.web;

import io.eldr.service.problem.Problems;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.ReferenceCountUtil;
import java.util.Locale;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

/**
 * Gives the refusals that the server makes by itself, before any of our code sees the request, the form that all problems
 * have: a path that cannot be decoded, a header that is too long, bytes that are no HTTP.
 */
@Sharable
final class BareRefusals extends ChannelOutboundHandlerAdapter {

    private static final int FIRST_ERROR = 400;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof FullHttpResponse response && isBare(response)) {
            FullHttpResponse problem = problem(response);
            ReferenceCountUtil.release(response);
            super.write(context, problem, promise);
        } else {
            super.write(context, message, promise);
        }
    }

    private static boolean isBare(FullHttpResponse response) {
        return response.status().code() >= FIRST_ERROR
                && !response.content().isReadable()
                && !response.headers().contains(HttpHeaderNames.CONTENT_TYPE);
    }

    private static FullHttpResponse problem(FullHttpResponse bare) {
        ProblemDetail problem = Problems.withStableType(
                ProblemDetail.forStatus(HttpStatusCode.valueOf(bare.status().code())));
        problem.setDetail(
                "The request could not be read: " + bare.status().reasonPhrase().toLowerCase(Locale.ROOT) + ".");
        byte[] body = Problems.toJson(problem);
        FullHttpResponse answer = new DefaultFullHttpResponse(
                bare.protocolVersion(),
                bare.status(),
                Unpooled.wrappedBuffer(body),
                bare.headers().copy(),
                bare.trailingHeaders().copy());
        answer.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, MediaType.APPLICATION_PROBLEM_JSON_VALUE)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return answer;
    }
}
