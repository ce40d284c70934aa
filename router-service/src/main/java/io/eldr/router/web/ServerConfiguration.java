package io.eldr.router.web;

import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.netty.channel.ChannelPipeline;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedHandler;
import reactor.core.publisher.Mono;
import reactor.netty.NettyPipeline;

/** What the server refuses before a controller is reached is told as a problem too. */
@Configuration(proxyBeanMethods = false)
class ServerConfiguration {

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> bareRefusals() {
        BareRefusals refusals = new BareRefusals();
        return factory ->
                factory.addServerCustomizers(server -> server.doOnChannelInit((observer, channel, address) -> {
                    ChannelPipeline pipeline = channel.pipeline();
                    if (pipeline.get(NettyPipeline.HttpCodec) != null) {
                        pipeline.addAfter(NettyPipeline.HttpCodec, "eldr.bareRefusals", refusals);
                    }
                }));
    }

    /** A path that the firewall does not let through, such as one with an encoded control character. */
    @Bean
    ServerExchangeRejectedHandler refusedPaths() {
        return (exchange, rejection) -> Mono.error(Problems.exception(
                ProblemType.INVALID_INPUT, "The path or a header holds characters that are refused."));
    }
}
