package io.eldr.router.direct;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection as far as direct calls come over it. What is answered directly is answered as soon as its body is
 * whole; so it can only be while the framework owes the client nothing, and goes to the framework otherwise, whole and as it
 * came.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the connection, and that is heard.
final class DirectConnection extends ChannelDuplexHandler {
    private static final Logger log = LoggerFactory.getLogger(DirectConnection.class);

    /** Bodies that may take long to read are not for here. */
    private static final long MOST_BODY_BYTES = 1 << 20;

    private final List<DirectCall> calls;
    private Optional<Incoming> incoming = Optional.empty();
    /** Requests that went on and have no whole answer yet. */
    private int behind;

    private boolean wantsMore;
    private boolean answered;

    DirectConnection(List<DirectCall> calls) {
        this.calls = calls;
    }

    /** A request whose body is coming. */
    private static final class Incoming {
        private final HttpRequest head;
        private final DirectCall call;
        private final byte[] body;
        private int length;

        private Incoming(HttpRequest head, DirectCall call, int length) {
            this.head = head;
            this.call = call;
            this.body = new byte[length];
        }

        /** @return whether there is room for it */
        private boolean add(ByteBuf piece) {
            int more = piece.readableBytes();
            if (more > body.length - length) {
                return false;
            }
            piece.readBytes(body, length, more);
            length += more;
            return true;
        }

        private ByteBuf come() {
            return Unpooled.wrappedBuffer(body, 0, length);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (incoming.isPresent() && message instanceof HttpContent content) {
            read(context, incoming.get(), content);
        } else if (message instanceof HttpRequest head) {
            Optional<DirectCall> call = behind == 0 && isPlain(head) ? meant(head) : Optional.empty();
            if (call.isPresent()) {
                incoming = Optional.of(new Incoming(head, call.get(), (int) HttpUtil.getContentLength(head, 0L)));
                wantsMore = true;
            } else {
                behind++;
                context.fireChannelRead(message);
            }
        } else {
            context.fireChannelRead(message);
        }
    }

    private Optional<DirectCall> meant(HttpRequest head) {
        for (DirectCall call : calls) {
            if (call.isMeant(head)) {
                return Optional.of(call);
            }
        }
        return Optional.empty();
    }

    /** Whether nothing about how it comes needs a thought. */
    private static boolean isPlain(HttpRequest head) {
        if (!head.decoderResult().isSuccess()
                || !HttpVersion.HTTP_1_1.equals(head.protocolVersion())
                || HttpUtil.isTransferEncodingChunked(head)
                || head.headers().contains(HttpHeaderNames.EXPECT)
                || head.headers().contains(HttpHeaderNames.UPGRADE)
                || head.headers().contains(HttpHeaderNames.CONTENT_ENCODING)) {
            return false;
        }
        return HttpUtil.getContentLength(head, 0L) <= MOST_BODY_BYTES;
    }

    private void read(ChannelHandlerContext context, Incoming request, HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        if (content.decoderResult().isFailure() || !request.add(content.content())) {
            incoming = Optional.empty();
            giveOn(context, request, false);
            context.fireChannelRead(content);
            return;
        }
        content.release();
        if (!last) {
            wantsMore = true;
            return;
        }
        incoming = Optional.empty();
        Optional<FullHttpResponse> answer = answer(request);
        if (answer.isPresent()) {
            write(context, request.head, answer.get());
        } else {
            giveOn(context, request, true);
        }
    }

    private static Optional<FullHttpResponse> answer(Incoming request) {
        if (request.length < request.body.length) {
            return Optional.empty();
        }
        try {
            return request.call.answer(request.head, request.body);
        } catch (RuntimeException fault) {
            // The framework meets it as well, and says so in the log and to the client.
            log.debug("A direct call failed", fault);
            return Optional.empty();
        }
    }

    private void write(ChannelHandlerContext context, HttpRequest head, FullHttpResponse answer) {
        boolean keepsAlive = HttpUtil.isKeepAlive(head);
        HttpUtil.setKeepAlive(answer, keepsAlive);
        ChannelFuture written = context.write(answer);
        if (!keepsAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
        answered = true;
        wantsMore = true;
    }

    private void giveOn(ChannelHandlerContext context, Incoming request, boolean whole) {
        behind++;
        context.fireChannelRead(request.head);
        context.fireChannelRead(
                whole ? new DefaultLastHttpContent(request.come()) : new DefaultHttpContent(request.come()));
    }

    /** Nobody behind this asks for what follows a request that never came there. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (answered) {
            answered = false;
            context.flush();
        }
        context.fireChannelReadComplete();
        readMore(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.fireChannelWritabilityChanged();
        readMore(context);
    }

    /** Not before the client takes its answers: they would pile up here. */
    private void readMore(ChannelHandlerContext context) {
        if (wantsMore && context.channel().isWritable()) {
            wantsMore = false;
            context.read();
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean interim =
                message instanceof HttpResponse head && head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (message instanceof LastHttpContent && !interim && behind > 0) {
            behind--;
        }
        context.write(message, promise);
    }
}
