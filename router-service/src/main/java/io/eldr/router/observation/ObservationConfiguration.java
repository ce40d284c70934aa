package io.eldr.router.observation;

import io.eldr.router.PeriodicTask;
import io.eldr.router.RouterProperties;
import io.eldr.router.calibration.CalibrationLink;
import io.eldr.router.pool.Pools;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is observed of requests and who hears of it. */
@Configuration(proxyBeanMethods = false)
class ObservationConfiguration {

    @Bean
    Observations observations(RouterProperties properties) {
        return new Observations(
                properties.calibration().target().isPresent(),
                Runtime.getRuntime().availableProcessors());
    }

    @Bean
    PeriodicTask observationPosts(
            Observations observations,
            Pools pools,
            CalibrationLink calibration,
            RouterProperties properties,
            RandomGenerator random) {
        // Its number of posts starts over with each run, also under an id that was configured.
        String run = properties.instanceId() + "-" + HexFormat.of().toHexDigits(random.nextLong());
        return calibration
                .client()
                .map(client -> new ObservationPoster(observations, pools, client, run))
                .map(poster -> PeriodicTask.every(
                        "observations", properties.observations().interval(), random, poster::post))
                .orElseGet(() -> PeriodicTask.never("observations"));
    }
}
