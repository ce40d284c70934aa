package io.eldr.router.sample;

import io.eldr.router.PeriodicTask;
import io.eldr.router.RouterProperties;
import io.eldr.router.calibration.CalibrationLink;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Who takes samples and where they go. Without a calibration service no request is wanted. */
@Configuration(proxyBeanMethods = false)
class SampleConfiguration {

    @Bean
    SampleMeters sampleMeters(MeterRegistry registry) {
        return new SampleMeters(registry);
    }

    @Bean
    SampleQueue sampleQueue(CalibrationLink calibration, RouterProperties properties, SampleMeters meters) {
        return new SampleQueue(
                calibration.client().isPresent(), properties.samples().queue(), meters);
    }

    @Bean
    PeriodicTask samplePosts(
            SampleQueue queue,
            CalibrationLink calibration,
            RouterProperties properties,
            SampleMeters meters,
            RandomGenerator random) {
        return calibration
                .client()
                .map(client -> new SamplePoster(queue, client, meters))
                .map(poster ->
                        PeriodicTask.every("samples", properties.samples().interval(), random, poster::post))
                .orElseGet(() -> PeriodicTask.never("samples"));
    }
}
