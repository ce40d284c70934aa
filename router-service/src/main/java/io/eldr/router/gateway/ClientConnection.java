package io.eldr.router.gateway;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import reactor.netty.NettyPipeline;

/**
 * A client's connection, in front of the web framework: requests of the gateway's paths are served from here, all others go
 * on to it. One request at a time; what a client sends before its answer is whole waits.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the connection, and that is heard.
final class ClientConnection extends ChannelDuplexHandler {
    /** So long a body is still read whose request was refused, so that the client sees why. */
    private static final long LINGER_SECONDS = 5;

    private final GatewayPaths paths;
    private final Deque<Object> waiting = new ArrayDeque<>();
    private At at = At.NOTHING;
    private int atFramework;
    private Optional<Incoming> incoming = Optional.empty();
    private Optional<ClientExchange> serving = Optional.empty();
    private long idleMillis;
    /** How the framework reads; ours are read as they come, by which a client that leaves is noticed. */
    private boolean frameworkReads;

    ClientConnection(GatewayPaths paths) {
        this.paths = paths;
    }

    private enum At {
        /** Between two requests. */
        NOTHING,
        /** In a request of the framework. */
        PASSING,
        /** In the body of one of ours. */
        READING,
        /** Ours is being served. */
        SERVING,
        /** Ours was refused; the rest of its body is thrown away. */
        LINGERING
    }

    /** A request of ours whose body is coming. */
    private record Incoming(ClientExchange exchange, GatewayPaths.Path path, RequestBody body) {}

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        boolean waits = at == At.SERVING
                || !waiting.isEmpty()
                || (at == At.NOTHING && atFramework > 0 && message instanceof HttpRequest next && isOurs(next));
        if (waits) {
            waiting.add(message);
            context.channel().config().setAutoRead(false);
        } else {
            take(context, message);
        }
    }

    private boolean isOurs(HttpRequest request) {
        return request.decoderResult().isSuccess() && paths.find(request).isPresent();
    }

    private void take(ChannelHandlerContext context, Object message) {
        switch (at) {
            case NOTHING -> {
                if (message instanceof HttpRequest request && isOurs(request)) {
                    begin(context, request);
                } else {
                    pass(context, message);
                }
            }
            case PASSING -> pass(context, message);
            case READING -> read(context, message);
            case LINGERING -> linger(context, message);
            case SERVING -> throw new IllegalStateException("it is being served");
        }
    }

    private void pass(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            atFramework++;
            at = At.PASSING;
        }
        if (message instanceof LastHttpContent) {
            at = At.NOTHING;
        }
        context.fireChannelRead(message);
    }

    /** Answers of the framework: with the last of them the connection may be ours. */
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean interim =
                message instanceof HttpResponse head && head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (message instanceof LastHttpContent && !interim && atFramework > 0) {
            atFramework--;
            if (!waiting.isEmpty()) {
                context.executor().execute(() -> drain(context));
            }
        }
        context.write(message, promise);
    }

    private void begin(ChannelHandlerContext context, HttpRequest request) {
        frameworkReads = context.channel().config().isAutoRead();
        context.channel().config().setAutoRead(true);
        boolean expects = HttpUtil.is100ContinueExpected(request);
        GatewayPaths.Path path = paths.find(request).orElseThrow();
        RequestBody body = new RequestBody(HttpUtil.getContentLength(request, -1L), paths.maxBody());
        ClientExchange exchange = paths.open(path, context, request, answered -> answered(context, answered));
        serving = Optional.of(exchange);
        incoming = Optional.of(new Incoming(exchange, path, body));
        at = At.READING;
        Optional<GatewayException> refusal = paths.refusal(path, request);
        if (body.isTooLong()) {
            refuse(context, exchange, paths.tooLarge());
        } else if (refusal.isPresent()) {
            body.refuse(refusal.get());
        }
        if (expects && !body.isTooLong()) {
            context.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    private void read(ChannelHandlerContext context, Object message) {
        Incoming request = incoming.orElseThrow();
        if (!(message instanceof HttpContent content) || content.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            context.close();
            return;
        }
        boolean last = content instanceof LastHttpContent;
        request.body().add(content.content());
        content.release();
        if (request.body().isTooLong()) {
            refuse(context, request.exchange(), paths.tooLarge());
            if (last) {
                context.close();
            }
        } else if (last) {
            incoming = Optional.empty();
            at = At.SERVING;
            dropIdleTimeout(context.pipeline());
            paths.serve(request.exchange(), request.path(), request.body());
        }
    }

    /** Answers before the body has come, whose rest nobody wants. */
    private void refuse(ChannelHandlerContext context, ClientExchange exchange, GatewayException refusal) {
        incoming = Optional.empty();
        at = At.LINGERING;
        exchange.isTheLast();
        paths.refuse(exchange, refusal);
        context.executor().schedule(() -> context.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    }

    private static void linger(ChannelHandlerContext context, Object message) {
        boolean last = message instanceof LastHttpContent;
        ReferenceCountUtil.release(message);
        if (last) {
            context.channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    private void answered(ChannelHandlerContext context, ClientExchange exchange) {
        serving = Optional.empty();
        if (at == At.LINGERING) {
            return;
        }
        if (!exchange.keepsAlive() || !context.channel().isActive()) {
            context.close();
            return;
        }
        at = At.NOTHING;
        addIdleTimeout(context.pipeline());
        context.channel().config().setAutoRead(frameworkReads);
        drain(context);
    }

    private void drain(ChannelHandlerContext context) {
        Object next = waiting.peek();
        while (next != null && at != At.SERVING && !(atFramework > 0 && next instanceof HttpRequest r && isOurs(r))) {
            waiting.remove();
            take(context, next);
            next = waiting.peek();
        }
        if (waiting.isEmpty() && at != At.SERVING) {
            context.read();
        }
    }

    /** The framework closes connections on which nothing comes; not while an answer is made. */
    private void dropIdleTimeout(ChannelPipeline pipeline) {
        if (pipeline.get(NettyPipeline.IdleTimeoutHandler) instanceof IdleStateHandler idle) {
            idleMillis = Math.max(idle.getReaderIdleTimeInMillis(), idle.getAllIdleTimeInMillis());
            pipeline.remove(idle);
        }
    }

    private void addIdleTimeout(ChannelPipeline pipeline) {
        if (idleMillis > 0 && pipeline.get(NettyPipeline.IdleTimeoutHandler) == null) {
            pipeline.addAfter(NettyPipeline.HttpCodec, NettyPipeline.IdleTimeoutHandler, idleTimeout());
        }
    }

    private ChannelHandler idleTimeout() {
        return new IdleStateHandler(idleMillis, 0, 0, TimeUnit.MILLISECONDS) {
            @Override
            protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
                context.close();
            }
        };
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        serving.ifPresent(exchange -> exchange.mayCome(context.channel().isWritable()));
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        serving.ifPresent(ClientExchange::left);
        serving = Optional.empty();
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (serving.isPresent()) {
            context.close();
        } else {
            context.fireExceptionCaught(cause);
        }
    }
}
