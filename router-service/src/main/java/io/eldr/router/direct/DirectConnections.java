package io.eldr.router.direct;

import java.util.List;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
import reactor.netty.NettyPipeline;

/** Puts the direct calls before the web framework on each connection of the API's port. */
@Component
final class DirectConnections implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {
    private final List<DirectCall> calls;

    DirectConnections(List<DirectCall> calls) {
        this.calls = List.copyOf(calls);
    }

    @Override
    public void customize(NettyReactiveWebServerFactory factory) {
        factory.addServerCustomizers(server -> server.doOnChannelInit((observer, channel, remote) -> channel.pipeline()
                .addBefore(NettyPipeline.HttpTrafficHandler, "eldr.direct", new DirectConnection(calls))));
    }
}
