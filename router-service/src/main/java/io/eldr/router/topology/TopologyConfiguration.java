package io.eldr.router.topology;

import io.eldr.router.PeriodicTask;
import io.eldr.router.RouterProperties;
import io.eldr.router.calibration.CalibrationLink;
import io.eldr.router.pool.Pools;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Who watches the sets of decoders. */
@Configuration(proxyBeanMethods = false)
class TopologyConfiguration {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    @Bean
    PeriodicTask topologyRefits(
            Pools pools,
            CalibrationLink calibration,
            RouterProperties properties,
            InstantSource clock,
            RandomGenerator random) {
        Duration settle = properties.calibration().settle();
        Duration interval = settle.compareTo(INTERVAL) < 0 ? settle : INTERVAL;
        return calibration
                .client()
                .map(client -> new TopologyRefits(pools, client, settle, clock))
                .map(refits -> PeriodicTask.every("topology-refits", interval, random, refits::look))
                .orElseGet(() -> PeriodicTask.never("topology-refits"));
    }
}
