package io.eldr.router.replica;

import io.eldr.core.load.LoadLedger;
import io.eldr.router.RouterProperties;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/** What knows the other routers. */
@Configuration(proxyBeanMethods = false)
class ReplicaConfiguration {

    @Bean
    Replicas replicas(RouterProperties properties, LoadLedger ledger, InstantSource clock, MeterRegistry registry) {
        Gauge.builder("eldr.router.replicas", ledger, LoadLedger::routers)
                .description("Routers that live as this one sees it, itself included")
                .register(registry);
        return new Replicas(properties.instanceId(), properties.replicas().timeout(), clock, ledger::routers);
    }

    @Bean
    ForwardingFilter forwardingFilter(
            Replicas replicas,
            RouterProperties properties,
            ReactorResourceFactory resources,
            MeterRegistry registry,
            SslBundles bundles) {
        Optional<SslBundle> trust =
                Optional.ofNullable(properties.replicas().sslBundle()).map(bundles::getBundle);
        return new ForwardingFilter(
                replicas,
                properties.instanceId(),
                new Forwarder(
                        resources.getLoopResources(), properties.replicas().forwardTimeout(), trust),
                registry);
    }
}
