package io.eldr.router.policy;

import io.eldr.core.load.LoadLedger;
import io.eldr.router.PeriodicTask;
import io.eldr.router.discovery.WorkerDiscovery;
import io.eldr.router.pool.PoolEnvironment;
import io.eldr.router.pool.Pools;
import io.eldr.router.worker.EngineScraper;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What keeps and tries policies. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PolicyProperties.class)
class PolicyConfiguration {

    @Bean
    PoolEnvironment poolEnvironment(
            LoadLedger ledger,
            WorkerDiscovery discovery,
            PolicyProperties properties,
            @Qualifier("wallClock") InstantSource wallClock) {
        return new PoolEnvironment(ledger, discovery, properties.starvation().rule(), wallClock);
    }

    @Bean
    Shadows shadows(
            PolicyProperties properties, @Qualifier("wallClock") InstantSource wallClock, RandomGenerator random) {
        return new Shadows(properties.shadow(), wallClock, random);
    }

    @Bean
    Switchbacks switchbacks(
            Pools pools, InstantSource clock, @Qualifier("wallClock") InstantSource wallClock, RandomGenerator random) {
        return new Switchbacks(pools, clock, wallClock, random);
    }

    @Bean
    EngineTpots engineTpots(
            EngineScraper scraper,
            Switchbacks switchbacks,
            InstantSource clock,
            @Qualifier("wallClock") InstantSource wallClock) {
        return new EngineTpots(scraper::snapshot, switchbacks, clock, wallClock);
    }

    @Bean
    PeriodicTask policyTicks(
            Pools pools,
            Shadows shadows,
            Switchbacks switchbacks,
            EngineTpots tpots,
            MeterRegistry registry,
            InstantSource clock,
            RandomGenerator random) {
        PolicyMeters meters = new PolicyMeters(registry, shadows, switchbacks);
        PolicyTicker ticker = new PolicyTicker(pools, meters, tpots, clock);
        return PeriodicTask.every("policy-ticker", PolicyTicker.INTERVAL, random, ticker::tick);
    }
}
