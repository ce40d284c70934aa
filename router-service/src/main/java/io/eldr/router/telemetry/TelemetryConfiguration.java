package io.eldr.router.telemetry;

import io.eldr.core.load.LoadLedger;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The meters. */
@Configuration(proxyBeanMethods = false)
class TelemetryConfiguration {

    @Bean
    RouterMetrics routerMetrics(MeterRegistry registry, LoadLedger ledger, InstantSource clock) {
        return new RouterMetrics(registry, ledger, clock);
    }
}
