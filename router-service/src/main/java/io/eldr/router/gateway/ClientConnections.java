package io.eldr.router.gateway;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
import reactor.netty.NettyPipeline;

/**
 * Puts the gateway before the web framework on each connection of the API's port: what a gateway does for each token must
 * not go through what a framework does for each request (ADR 0019).
 */
@Component
final class ClientConnections implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {
    private final GatewayPaths paths;

    ClientConnections(GatewayPaths paths) {
        this.paths = paths;
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(server -> server.doOnChannelInit((observer, channel, remote) -> channel.pipeline()
                .addBefore(NettyPipeline.HttpTrafficHandler, "eldr.gateway", new ClientConnection(paths))));
    }
}
