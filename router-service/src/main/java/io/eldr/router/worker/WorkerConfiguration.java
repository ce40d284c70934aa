package io.eldr.router.worker;

import io.eldr.core.load.LoadLedger;
import io.eldr.router.RouterProperties;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What watches the workers. */
@Configuration(proxyBeanMethods = false)
class WorkerConfiguration {

    @Bean
    HealthProber healthProber(RouterProperties properties) {
        return new HealthProber(properties.probe());
    }

    @Bean
    Breakers breakers(RouterProperties properties, LoadLedger ledger, InstantSource clock) {
        return new Breakers(properties.breaker(), ledger, clock);
    }

    @Bean
    Ranks ranks(RandomGenerator random) {
        return new Ranks(random);
    }

    @Bean
    EngineScraper engineScraper(
            RouterProperties properties, LoadLedger ledger, Ranks ranks, InstantSource clock, ScrapeListener listener) {
        return new EngineScraper(properties.scrape(), ledger, ranks, clock, listener);
    }

    @Bean
    WorkerStandings workerStandings(HealthProber prober, Breakers breakers, EngineScraper scraper) {
        return new WorkerStandings(prober, breakers, scraper);
    }

    @Bean
    WorkerTicker workerTicker(
            Breakers breakers, EngineScraper scraper, WorkerObserver observer, RouterProperties properties) {
        return new WorkerTicker(
                breakers, scraper, observer::workersChanged, properties.scrape().interval());
    }
}
