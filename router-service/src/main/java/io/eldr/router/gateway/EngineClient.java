package io.eldr.router.gateway;

import io.eldr.router.tracing.RequestTrace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AttributeKey;
import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * Sends requests to engines. A failure says whether the engine may have seen the request ({@link NotReachedException} or
 * {@link BrokenException}), because what may be tried again depends on it; nothing is tried again here. A subscriber that
 * cancels closes the connection, by which an engine notices that its answer is not wanted any more.
 */
final class EngineClient implements AutoCloseable {
    private static final int MAX_CONNECTIONS = 65_536;
    /** A host that vanished without a word is noticed in about half a minute. */
    private static final int KEEP_ALIVE_IDLE_SECONDS = 15;

    private static final int MAX_WHOLE = 1 << 20;
    private static final AttributeKey<Boolean> USED = AttributeKey.valueOf("eldr.used");
    private static final int KEEP_ALIVE_INTERVAL_SECONDS = 5;
    private static final int KEEP_ALIVE_PROBES = 3;

    private final ConnectionProvider connections;
    private final HttpClient client;

    EngineClient(GatewayProperties properties) {
        // An engine closes idle connections after a few seconds: they are given up before, and the newest is used
        // first.
        this.connections = ConnectionProvider.builder("engines")
                .maxConnections(MAX_CONNECTIONS)
                .pendingAcquireMaxCount(-1)
                .maxIdleTime(properties.engineIdle())
                .evictInBackground(Duration.ofSeconds(1))
                .lifo()
                .build();
        this.client = noticingLostHosts(HttpClient.create(connections)
                // A POST that was written must not be sent again by itself.
                .disableRetry(true)
                .followRedirect(false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        properties.connectTimeout().toMillis()));
    }

    private static HttpClient noticingLostHosts(HttpClient client) {
        HttpClient keptAlive = client.option(ChannelOption.SO_KEEPALIVE, true);
        return Epoll.isAvailable()
                ? keptAlive
                        .option(EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS)
                        .option(EpollChannelOption.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL_SECONDS)
                        .option(EpollChannelOption.TCP_KEEPCNT, KEEP_ALIVE_PROBES)
                : keptAlive;
    }

    /** No byte of the request reached the engine. */
    static final class NotReachedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotReachedException(Throwable cause) {
            super(String.valueOf(cause.getMessage()), cause, false, false);
        }
    }

    /** The engine may have seen the request, and did not answer it in full. */
    static final class BrokenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final boolean wasIdle;

        BrokenException(Throwable cause) {
            this(cause, false);
        }

        private BrokenException(Throwable cause, boolean wasIdle) {
            super(String.valueOf(cause.getMessage()), cause, false, false);
            this.wasIdle = wasIdle;
        }

        /** Whether the connection had been idle, so that the engine may have closed it before it saw the request. */
        boolean wasIdle() {
            return wasIdle;
        }
    }

    /** An answer that was read whole. */
    static final class Whole {
        private final int status;
        private final HttpHeaders headers;
        private final byte[] body;

        /** Adopts the array. */
        Whole(int status, HttpHeaders headers, byte[] body) {
            this.status = status;
            this.headers = headers;
            this.body = body;
        }

        int status() {
            return status;
        }

        HttpHeaders headers() {
            return headers;
        }

        /** Only to be read. */
        byte[] body() {
            return body;
        }
    }

    /** An answer whose body is still coming. Whoever gets it subscribes to the body or discards the answer. */
    static final class Streaming {
        private final int status;
        private final HttpHeaders headers;
        private final Flux<ByteBuf> body;
        private final Connection connection;
        private final AtomicBoolean over = new AtomicBoolean();

        private Streaming(int status, HttpHeaders headers, Connection connection, RequestTrace.Hop hop) {
            this.status = status;
            this.headers = headers;
            this.connection = connection;
            this.body = connection
                    .inbound()
                    .receive()
                    .retain()
                    .doOnTerminate(() -> over.set(true))
                    .onErrorMap(BrokenException::new)
                    .doFinally(hop::end);
        }

        int status() {
            return status;
        }

        HttpHeaders headers() {
            return headers;
        }

        /** Each buffer belongs to who receives it. */
        Flux<ByteBuf> body() {
            return body;
        }

        /** Closes the connection, unless the answer is over: then the connection may be another request's already. */
        void discard() {
            if (over.compareAndSet(false, true)) {
                connection.dispose();
            }
        }

        /** The answer once all of it is there; one that is not small is a failure of the engine. */
        Mono<Whole> whole() {
            return body.map(Streaming::taken)
                    .reduceWith(ByteArrayOutputStream::new, (all, bytes) -> {
                        if (all.size() + bytes.length > MAX_WHOLE) {
                            throw new BrokenException(new IllegalStateException("an error of more than a megabyte"));
                        }
                        all.writeBytes(bytes);
                        return all;
                    })
                    .map(all -> new Whole(status, headers, all.toByteArray()))
                    .doOnError(failure -> discard())
                    .doOnCancel(this::discard);
        }

        private static byte[] taken(ByteBuf buffer) {
            try {
                return ByteBufUtil.getBytes(buffer);
            } finally {
                buffer.release();
            }
        }
    }

    /** How far a request came. */
    private static final class Sending {
        private final Runnable onWritten;
        private volatile boolean written;
        private volatile boolean reused;

        Sending(Runnable onWritten) {
            this.onWritten = onWritten;
        }

        void begins(Connection connection) {
            reused = connection.channel().attr(USED).getAndSet(true) != null;
            written = true;
            onWritten.run();
        }

        RuntimeException failed(Throwable failure) {
            return !written || failure instanceof ConnectException
                    ? new NotReachedException(failure)
                    : new BrokenException(failure, reused);
        }
    }

    /** A path of a worker. */
    static String url(String worker, String path) {
        return (worker.endsWith("/") ? worker.substring(0, worker.length() - 1) : worker) + path;
    }

    /** Sends a body and reads the whole answer. */
    Mono<Whole> exchange(String url, Consumer<HttpHeaders> headers, byte[] body) {
        return Mono.deferContextual(context -> {
            RequestTrace.Hop hop = RequestTrace.of(context).prefill(url);
            Sending sending = new Sending(() -> {});
            return request(headers, hop, body, sending)
                    .post()
                    .uri(url)
                    .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
                    .responseSingle((response, bytes) -> {
                        hop.answered(response.status().code());
                        return bytes.asByteArray()
                                .defaultIfEmpty(new byte[0])
                                .map(answer -> new Whole(response.status().code(), response.responseHeaders(), answer));
                    })
                    .onErrorMap(sending::failed)
                    // Before whoever gets the answer goes on with it.
                    .doOnNext(answer -> hop.end(SignalType.ON_COMPLETE))
                    .doOnError(failure -> hop.end(SignalType.ON_ERROR))
                    .doOnCancel(() -> hop.end(SignalType.CANCEL));
        });
    }

    /**
     * Sends a body and hands over the answer as soon as its head is there.
     *
     * @param onWritten hears when the engine may begin to see the request
     */
    Mono<Streaming> stream(String url, Consumer<HttpHeaders> headers, byte[] body, Runnable onWritten) {
        return Mono.deferContextual(context -> {
            RequestTrace.Hop hop = RequestTrace.of(context).decode(url);
            Sending sending = new Sending(onWritten);
            return request(headers, hop, body, sending)
                    .post()
                    .uri(url)
                    .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
                    .responseConnection((response, connection) -> {
                        hop.answered(response.status().code());
                        return Mono.just(
                                new Streaming(response.status().code(), response.responseHeaders(), connection, hop));
                    })
                    .single()
                    .onErrorMap(sending::failed)
                    .doOnError(failure -> hop.end(SignalType.ON_ERROR))
                    .doOnCancel(() -> hop.end(SignalType.CANCEL));
        });
    }

    private HttpClient request(Consumer<HttpHeaders> headers, RequestTrace.Hop hop, byte[] body, Sending sending) {
        return client.doOnRequest((request, connection) -> sending.begins(connection))
                .headers(all -> {
                    headers.accept(all);
                    hop.inject(all::set);
                    all.set(HttpHeaderNames.CONTENT_TYPE, "application/json");
                    all.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
                });
    }

    /** What headers an engine gets beside those that every request has. */
    static Consumer<HttpHeaders> headers(
            Consumer<HttpHeaders> passed, String requestId, Optional<String> authorization) {
        return headers -> {
            passed.accept(headers);
            headers.set("X-Request-Id", requestId);
            authorization.ifPresent(value -> headers.set(HttpHeaderNames.AUTHORIZATION, value));
        };
    }

    @Override
    public void close() {
        connections.dispose();
    }
}
