package io.eldr.router.gateway;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;

/**
 * Sends requests to engines. A failure says whether the engine may have seen the request ({@link NotReachedException} or
 * {@link BrokenException}), because what may be tried again depends on it; nothing is tried again here. A request that is
 * cancelled closes its connection, by which an engine notices that its answer is not wanted any more.
 *
 * <p>Each event loop has connections of its own, so that a request and its answer never change threads.
 */
final class EngineClient implements AutoCloseable {
    private final GatewayProperties properties;
    private final SslContext tls;
    private final Map<EventLoop, EngineConnections> byLoop = new ConcurrentHashMap<>();

    EngineClient(GatewayProperties properties) {
        this.properties = properties;
        try {
            this.tls = SslContextBuilder.forClient().build();
        } catch (SSLException e) {
            throw new IllegalStateException("there is no TLS for engines", e);
        }
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

        BrokenException(String why) {
            super(why, null, false, false);
            this.wasIdle = false;
        }

        BrokenException(Throwable cause, boolean wasIdle) {
            super(String.valueOf(cause.getMessage()), cause, false, false);
            this.wasIdle = wasIdle;
        }

        /** Whether the connection had been idle, so that the engine may have closed it before it saw the request. */
        boolean wasIdle() {
            return wasIdle;
        }
    }

    /** The connections of a client's event loop. */
    EngineConnections on(Channel client) {
        return byLoop.computeIfAbsent(
                client.eventLoop(), loop -> new EngineConnections(loop, client.getClass(), tls, properties));
    }

    /** A path of a worker. */
    static String url(String worker, String path) {
        return (worker.endsWith("/") ? worker.substring(0, worker.length() - 1) : worker) + path;
    }

    @Override
    public void close() {
        byLoop.values().forEach(EngineConnections::close);
    }
}
