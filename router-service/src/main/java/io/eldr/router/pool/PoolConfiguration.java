package io.eldr.router.pool;

import io.eldr.core.load.LoadLedger;
import io.eldr.router.RouterProperties;
import io.eldr.router.artifact.LastGoodFile;
import io.eldr.router.intent.IntentSource;
import io.eldr.router.worker.HealthProber;
import io.eldr.router.worker.WorkerStandings;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The pools and what keeps them. */
@Configuration(proxyBeanMethods = false)
class PoolConfiguration {

    @Bean
    LoadLedger loadLedger() {
        return new LoadLedger();
    }

    @Bean
    Pools pools(
            IntentSource source,
            PoolEnvironment environment,
            WorkerStandings standings,
            HealthProber prober,
            RouterProperties properties,
            PoolObserver observer,
            InstantSource clock) {
        Pools pools = new Pools(
                source, environment, standings, properties.lastGoodDirectory().map(LastGoodFile::new), observer, clock);
        prober.onChange(pools::workersChanged);
        environment.discovery().onChange(pools::discovered);
        pools.restore();
        return pools;
    }
}
