package io.eldr.router;

import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What every feature takes from outside itself. */
@Configuration(proxyBeanMethods = false)
class RouterConfiguration {

    /** For what happens in this router: leases must not end because the system's time was set. */
    @Bean
    InstantSource clock() {
        return MonotonicClock.system();
    }

    /** For what others compare with their own time. */
    @Bean(defaultCandidate = false)
    InstantSource wallClock() {
        return InstantSource.system();
    }

    /** Breaks ties and draws; each thread has its own state. */
    @Bean
    RandomGenerator random() {
        return () -> ThreadLocalRandom.current().nextLong();
    }
}
