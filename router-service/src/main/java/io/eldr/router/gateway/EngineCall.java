package io.eldr.router.gateway;

import io.eldr.router.tracing.RequestTrace;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import java.net.ConnectException;
import java.util.Optional;
import reactor.core.publisher.SignalType;

/** One request to an engine, from the wait for a connection to the end of its answer. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the connection, and that is heard.
final class EngineCall {
    private final String url;
    private final HttpHeaders headers;
    private final byte[] body;
    private final RequestTrace.Hop hop;
    private final AnswerListener listener;
    private Optional<ChannelFuture> connecting = Optional.empty();
    private Optional<EngineConnection> connection = Optional.empty();
    private boolean reused;
    private boolean begun;
    private boolean over;

    /** @param body is adopted */
    EngineCall(String url, HttpHeaders headers, byte[] body, RequestTrace.Hop hop, AnswerListener listener) {
        this.url = url;
        this.headers = headers;
        this.body = body;
        this.hop = hop;
        this.listener = listener;
        hop.inject(headers::set);
    }

    String url() {
        return url;
    }

    HttpHeaders headers() {
        return headers;
    }

    /** Only to be read. */
    byte[] body() {
        return body;
    }

    boolean isOver() {
        return over;
    }

    /** It waits for a new connection. */
    void connecting(ChannelFuture future) {
        connecting = Optional.of(future);
    }

    /** It goes out over this connection now. */
    void goesOut(EngineConnection over, boolean reusedConnection) {
        connecting = Optional.empty();
        connection = Optional.of(over);
        reused = reusedConnection;
        listener.written();
    }

    void begun(HttpResponse head) {
        begun = true;
        hop.answered(head.status().code());
        listener.begun(head.status().code(), head.headers());
    }

    void piece(ByteBuf bytes) {
        if (over) {
            bytes.release();
        } else {
            listener.piece(bytes);
        }
    }

    void pause() {
        if (!over) {
            listener.pause();
        }
    }

    void complete() {
        if (ends(SignalType.ON_COMPLETE)) {
            listener.complete();
        }
    }

    void failed(Throwable why) {
        boolean sent = connection.isPresent() && !(why instanceof ConnectException);
        if (ends(SignalType.ON_ERROR)) {
            listener.failed(
                    sent
                            ? new EngineClient.BrokenException(why, reused && !begun)
                            : new EngineClient.NotReachedException(why));
        }
    }

    /** Closes the connection unless the answer is over: then the connection may be another request's already. */
    void cancel() {
        Optional<EngineConnection> open = connection;
        if (ends(SignalType.CANCEL)) {
            open.ifPresent(EngineConnection::close);
            connecting.ifPresent(future -> future.channel().close());
        }
    }

    /** Whether more of the answer may come; what does not is left in the network. */
    void mayCome(boolean more) {
        connection.filter(open -> !over).ifPresent(open -> open.mayRead(more));
    }

    private boolean ends(SignalType how) {
        boolean first = !over;
        over = true;
        connection = Optional.empty();
        if (first) {
            hop.end(how);
        }
        return first;
    }
}
