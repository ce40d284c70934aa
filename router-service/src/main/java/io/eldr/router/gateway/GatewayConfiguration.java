package io.eldr.router.gateway;

import io.eldr.core.load.LoadLedger;
import io.eldr.router.PeriodicTask;
import io.eldr.router.pool.Pools;
import io.eldr.router.worker.Breakers;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the gateway is made of. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(GatewayProperties.class)
class GatewayConfiguration {

    @Bean
    EngineClient engineClient(GatewayProperties properties) {
        return new EngineClient(properties);
    }

    @Bean
    WorkerWatch workerWatch(Pools pools) {
        return new WorkerWatch(pools);
    }

    @Bean
    PeriodicTask workerWatchLooks(WorkerWatch watch, RandomGenerator random) {
        return PeriodicTask.every("worker-watch", WorkerWatch.INTERVAL, random, watch::look);
    }

    @Bean
    PrefillChoice prefillChoice(LoadLedger ledger, Breakers breakers, InstantSource clock) {
        return new PrefillChoice(ledger, breakers, clock);
    }
}
