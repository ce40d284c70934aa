package io.eldr.router.gateway;

import io.eldr.router.tracing.RequestTrace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** A client's request and the answer to it, on the event loop of the client's connection. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the connection, and that is heard.
final class ClientExchange {
    private final ChannelHandlerContext client;
    private final HttpRequest request;
    private final EngineConnections engines;
    private final RequestTrace trace;
    private final Consumer<ClientExchange> onAnswered;
    private Optional<Stage> stage = Optional.empty();
    private OptionalInt status = OptionalInt.empty();
    private boolean keepsAlive;
    private boolean over;

    /**
     * @param client where the answer is written from: nothing behind it sees the answer
     * @param onAnswered hears when the whole answer was given to the network
     */
    ClientExchange(
            ChannelHandlerContext client,
            HttpRequest request,
            EngineConnections engines,
            RequestTrace trace,
            Consumer<ClientExchange> onAnswered) {
        this.client = client;
        this.request = request;
        this.engines = engines;
        this.trace = trace;
        this.keepsAlive = HttpUtil.isKeepAlive(request);
        this.onAnswered = onAnswered;
    }

    /** Where a request is on its way. */
    interface Stage {
        /** The client left. */
        void leave();

        /** Whether the client takes more of its answer now. */
        default void mayCome(boolean more) {}
    }

    HttpHeaders headers() {
        return request.headers();
    }

    EngineConnections engines() {
        return engines;
    }

    RequestTrace trace() {
        return trace;
    }

    /** Whether another request may come over the connection. */
    boolean keepsAlive() {
        return keepsAlive;
    }

    /** No other request is to come over the connection. */
    void isTheLast() {
        keepsAlive = false;
    }

    void enter(Stage next) {
        stage = Optional.of(next);
    }

    /** Whether the client got a byte of an answer, after which it cannot get another one. */
    boolean isBegun() {
        return status.isPresent();
    }

    /** Of the answer, once begun. */
    OptionalInt status() {
        return status;
    }

    /** Writes the head of the answer, without a flush. */
    void begin(int code, HttpHeaders headers) {
        status = OptionalInt.of(code);
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code), headers);
        boolean delimited = headers.contains(HttpHeaderNames.CONTENT_LENGTH);
        if (!delimited && request.protocolVersion().isKeepAliveDefault()) {
            HttpUtil.setTransferEncodingChunked(head, true);
        }
        // Else only its end tells a client of HTTP/1.0 that the answer is whole.
        keepsAlive &= delimited || request.protocolVersion().isKeepAliveDefault();
        HttpUtil.setKeepAlive(headers, request.protocolVersion(), keepsAlive);
        client.write(head, client.voidPromise());
    }

    /** Writes a piece, which it takes over, without a flush; says whether the client takes more now. */
    boolean write(ByteBuf piece) {
        client.write(new DefaultHttpContent(piece), client.voidPromise());
        return client.channel().isWritable();
    }

    void flush() {
        client.flush();
    }

    /**
     * The answer is whole.
     *
     * @param delivered hears whether the network took all of it
     */
    void end(Consumer<Boolean> delivered) {
        over = true;
        stage = Optional.empty();
        client.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener((ChannelFutureListener) written -> {
            trace.end(status, true);
            delivered.accept(written.isSuccess());
            onAnswered.accept(this);
        });
    }

    /** Closes the client's connection after what was written: an answer that is not whole must not look as if it were. */
    void breakOff() {
        over = true;
        stage = Optional.empty();
        trace.end(status, false);
        client.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** The client closed its connection. */
    void left() {
        if (!over) {
            over = true;
            stage.ifPresent(Stage::leave);
            trace.aborted(status);
        }
    }

    void mayCome(boolean more) {
        stage.ifPresent(at -> at.mayCome(more));
    }
}
