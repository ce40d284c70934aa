package io.eldr.router.gateway;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;

/** A connection to an engine: it carries one request at a time, and waits for the next where the engine lets it. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the connection, and that is heard.
final class EngineConnection extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final String authority;
    private final EngineConnections home;
    private Optional<EngineCall> current = Optional.empty();
    private boolean keptAlive;
    private boolean informational;
    private long idleSince;

    /** @param authority where it leads */
    EngineConnection(Channel channel, String authority, EngineConnections home) {
        this.channel = channel;
        this.authority = authority;
        this.home = home;
    }

    String authority() {
        return authority;
    }

    /** Whether it may carry another request. */
    boolean isUsable(long now, long longestIdle) {
        return channel.isActive() && now - idleSince < longestIdle;
    }

    void start(EngineCall call, String path, boolean reused) {
        current = Optional.of(call);
        keptAlive = false;
        call.goesOut(this, reused);
        if (call.isOver()) {
            return;
        }
        call.headers().set(HttpHeaderNames.CONTENT_LENGTH, call.body().length);
        ChannelFuture written = channel.writeAndFlush(new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.POST,
                path,
                Unpooled.wrappedBuffer(call.body()),
                call.headers(),
                EmptyHttpHeaders.INSTANCE));
        written.addListener((ChannelFutureListener) done -> {
            if (!done.isSuccess()) {
                failed(Optional.ofNullable(done.cause()).orElseGet(ClosedChannelException::new));
            }
        });
    }

    void mayRead(boolean more) {
        channel.config().setAutoRead(more);
    }

    void close() {
        current = Optional.empty();
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (current.isEmpty() || !(message instanceof HttpObject part)) {
            ReferenceCountUtil.release(message);
            // It was not asked anything.
            channel.close();
            return;
        }
        if (part.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            failed(part.decoderResult().cause());
            return;
        }
        EngineCall call = current.get();
        if (part instanceof HttpResponse head) {
            informational = head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            if (!informational) {
                keptAlive = HttpUtil.isKeepAlive(head);
                call.begun(head);
            }
        }
        if (part instanceof HttpContent content) {
            boolean last = content instanceof LastHttpContent;
            if (informational || !content.content().isReadable()) {
                content.release();
            } else {
                call.piece(content.content());
            }
            if (last && !informational && !call.isOver()) {
                over(call);
            }
        }
    }

    private void over(EngineCall call) {
        current = Optional.empty();
        if (keptAlive && channel.isActive()) {
            channel.config().setAutoRead(true);
            idleSince = System.nanoTime();
            home.idle(this);
        } else {
            channel.close();
        }
        call.complete();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        current.ifPresent(EngineCall::pause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        home.gone(this);
        failed(new IOException("the engine closed the connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failed(cause);
    }

    private void failed(Throwable cause) {
        Optional<EngineCall> failing = current;
        close();
        failing.ifPresent(call -> call.failed(cause));
    }
}
