package io.eldr.router.gateway;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One event loop's connections to engines, those that carry a request and those that wait for one. The newest of these goes
 * first; an engine closes idle connections after a few seconds, so they are given up before.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be written closes the connection, and that is heard.
final class EngineConnections {
    private static final int MAX_HEADERS = 64 << 10;
    private static final int MAX_LINE = 8 << 10;
    /** A larger buffer than what tokens fill: events that come together are passed on together, and whole. */
    private static final int LEAST_READ = 2 << 10;

    private static final int FIRST_READ = 4 << 10;
    private static final int MOST_READ = 64 << 10;
    private static final int MAX_TARGETS = 4_096;
    /** A host that vanished without a word is noticed in about half a minute. */
    private static final int KEEP_ALIVE_IDLE_SECONDS = 15;

    private static final int KEEP_ALIVE_INTERVAL_SECONDS = 5;
    private static final int KEEP_ALIVE_PROBES = 3;

    private final EventLoop loop;
    private final SslContext tls;
    private final Bootstrap bootstrap;
    private final long longestIdle;
    private final Future<?> sweeps;
    private final Map<String, EngineTarget> targets = new HashMap<>();
    private final Map<String, Deque<EngineConnection>> idle = new HashMap<>();

    /** @param kind of channels that this loop serves */
    EngineConnections(EventLoop loop, Class<? extends Channel> kind, SslContext tls, GatewayProperties properties) {
        this.loop = loop;
        this.tls = tls;
        this.longestIdle = properties.engineIdle().toNanos();
        this.bootstrap = new Bootstrap()
                .group(loop)
                .channelFactory(new ReflectiveChannelFactory<>(kind))
                .resolver(resolver(kind))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(LEAST_READ, FIRST_READ, MOST_READ))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        properties.connectTimeout().toMillis());
        if (EpollSocketChannel.class.isAssignableFrom(kind)) {
            bootstrap
                    .option(EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS)
                    .option(EpollChannelOption.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL_SECONDS)
                    .option(EpollChannelOption.TCP_KEEPCNT, KEEP_ALIVE_PROBES);
        }
        this.sweeps = loop.scheduleWithFixedDelay(this::giveUpIdle, 1, 1, TimeUnit.SECONDS);
    }

    /** Names are resolved without holding the loop up, where its kind of channels is known. */
    private static AddressResolverGroup<InetSocketAddress> resolver(Class<? extends Channel> kind) {
        if (EpollSocketChannel.class.isAssignableFrom(kind)) {
            return dns(EpollDatagramChannel.class);
        }
        return NioSocketChannel.class.isAssignableFrom(kind)
                ? dns(NioDatagramChannel.class)
                : DefaultAddressResolverGroup.INSTANCE;
    }

    private static AddressResolverGroup<InetSocketAddress> dns(Class<? extends DatagramChannel> kind) {
        return new DnsAddressResolverGroup(new DnsNameResolverBuilder().datagramChannelType(kind));
    }

    EventLoop loop() {
        return loop;
    }

    /** Sends a request over a connection that waits, or else a new one. Called on the loop, as everything here. */
    void send(EngineCall call) {
        EngineTarget target = target(call.url());
        call.headers().set(HttpHeaderNames.HOST, target.host());
        Optional<EngineConnection> waiting = takeIdle(target);
        if (waiting.isPresent()) {
            waiting.get().start(call, target.path(), true);
        } else {
            connect(target, call);
        }
    }

    private EngineTarget target(String url) {
        if (targets.size() >= MAX_TARGETS) {
            targets.clear();
        }
        return targets.computeIfAbsent(url, EngineTarget::of);
    }

    private Optional<EngineConnection> takeIdle(EngineTarget target) {
        Deque<EngineConnection> waiting = idle.get(target.authority());
        long now = System.nanoTime();
        while (waiting != null && !waiting.isEmpty()) {
            EngineConnection newest = waiting.removeLast();
            if (newest.isUsable(now, longestIdle)) {
                return Optional.of(newest);
            }
            newest.close();
        }
        return Optional.empty();
    }

    private void connect(EngineTarget target, EngineCall call) {
        ChannelFuture connecting = bootstrap
                .clone()
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (target.tls()) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc(), target.name(), target.port()));
                        }
                        channel.pipeline().addLast(new HttpClientCodec(MAX_LINE, MAX_HEADERS, MOST_READ));
                    }
                })
                .connect(target.address());
        call.connecting(connecting);
        connecting.addListener((ChannelFutureListener) done -> {
            if (!done.isSuccess()) {
                call.failed(Optional.ofNullable(done.cause()).orElseThrow());
            } else if (target.tls()) {
                done.channel()
                        .pipeline()
                        .get(SslHandler.class)
                        .handshakeFuture()
                        .addListener(shaken -> {
                            if (shaken.isSuccess()) {
                                begin(call, done.channel(), target);
                            } else {
                                call.failed(Optional.ofNullable(shaken.cause()).orElseThrow());
                            }
                        });
            } else {
                begin(call, done.channel(), target);
            }
        });
    }

    private void begin(EngineCall call, Channel channel, EngineTarget target) {
        if (call.isOver()) {
            channel.close();
            return;
        }
        EngineConnection connection = new EngineConnection(channel, target.authority(), this);
        channel.pipeline().addLast(connection);
        connection.start(call, target.path(), false);
    }

    /** A connection that waits for its next request. */
    void idle(EngineConnection connection) {
        idle.computeIfAbsent(connection.authority(), authority -> new ArrayDeque<>())
                .addLast(connection);
    }

    /** A connection that was closed. */
    void gone(EngineConnection connection) {
        Deque<EngineConnection> waiting = idle.get(connection.authority());
        if (waiting != null) {
            waiting.remove(connection);
        }
    }

    private void giveUpIdle() {
        long now = System.nanoTime();
        idle.values().removeIf(waiting -> {
            while (!waiting.isEmpty() && !waiting.getFirst().isUsable(now, longestIdle)) {
                waiting.removeFirst().close();
            }
            return waiting.isEmpty();
        });
    }

    /** Closes those that wait; those that carry a request end with it. */
    void close() {
        sweeps.cancel(false);
        if (!loop.isShuttingDown()) {
            loop.execute(() -> {
                idle.values().forEach(waiting -> waiting.forEach(EngineConnection::close));
                idle.clear();
            });
        }
    }
}
