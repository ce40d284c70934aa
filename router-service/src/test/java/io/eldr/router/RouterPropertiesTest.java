package io.eldr.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

class RouterPropertiesTest {

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties({EldrProperties.class, RouterProperties.class})
    static class Properties {}

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(Properties.class);

    @Test
    void defaultsAreAsDocumented() {
        runner.run(context -> {
            RouterProperties properties = context.getBean(RouterProperties.class);
            assertThat(properties.instanceId()).matches("router-[0-9a-f]{8}");
            assertThat(properties.advertisedUrl()).isEmpty();
            assertThat(properties.lastGoodDirectory()).isEmpty();
            assertThat(properties.pollInterval()).isEqualTo(Duration.ofSeconds(2));
            assertThat(properties.probe())
                    .isEqualTo(new RouterProperties.Probe(Duration.ofSeconds(1), Duration.ofSeconds(2), 1, 3));
            assertThat(properties.reservations().lease()).isEqualTo(Duration.ofMinutes(1));
            assertThat(properties.decisions().keep()).isEqualTo(4096);
            assertThat(properties.observations().interval()).isEqualTo(Duration.ofSeconds(10));
            assertThat(properties.calibration().target()).isEmpty();
            assertThat(properties.calibration().settle()).isEqualTo(Duration.ofSeconds(30));
            assertThat(properties.scrape())
                    .isEqualTo(new RouterProperties.Scrape(Duration.ofSeconds(1), Duration.ofSeconds(1)));
            assertThat(properties.breaker())
                    .isEqualTo(new RouterProperties.Breaker(5, Duration.ofSeconds(5), Duration.ofMinutes(1)));
            assertThat(properties.samples()).isEqualTo(new RouterProperties.Samples(Duration.ofSeconds(1), 512, 1024));
            assertThat(properties.replicas())
                    .isEqualTo(new RouterProperties.Replicas(Duration.ofSeconds(10), Duration.ofSeconds(1), null));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "eldr.nonsense, 1",
        "eldr.router.nonsense, 1",
        "eldr.router.probe.nonsense, 1",
        "eldr.router.poll-interval, 1ms",
        "eldr.router.poll-interval, often",
        "eldr.router.instance-id, a.b",
        "eldr.router.probe.timeout, 0s",
        "eldr.router.probe.healthy-threshold, 0",
        "eldr.router.probe.unhealthy-threshold, -1",
        "eldr.router.reservations.lease, 601s",
        "eldr.router.decisions.keep, 0",
        "eldr.router.samples.queue, 0",
        "eldr.router.samples.open, 0",
        "eldr.router.samples.interval, 1ms",
        "eldr.router.observations.interval, 1ms",
        "eldr.router.calibration.url, http://calibration:8081",
        "eldr.router.calibration.url, ftp://calibration",
        "eldr.router.calibration.token, secret",
        "eldr.router.calibration.settle, 0s",
        "eldr.router.scrape.interval, 1ms",
        "eldr.router.scrape.timeout, 61s",
        "eldr.router.breaker.failures, 0",
        "eldr.router.breaker.open-for, 0s",
        "eldr.router.breaker.longest, 1s",
        "eldr.router.replicas.timeout, 3s",
        "eldr.router.replicas.forward-timeout, 0s"
    })
    void aBadOrUnknownPropertyStopsTheStartByItsName(String property, String value) {
        runner.withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(failure -> assertThat(everything(failure)).contains(property)));
    }

    @Test
    void theTokenForTheCalibrationServiceIsNeverShown() {
        runner.withPropertyValues(
                        "eldr.router.calibration.url=http://calibration:8081", "eldr.router.calibration.token=secret")
                .run(context -> {
                    RouterProperties properties = context.getBean(RouterProperties.class);
                    assertThat(properties.calibration().target())
                            .contains(new RouterProperties.Target(URI.create("http://calibration:8081"), "secret"));
                    assertThat(properties.toString() + properties.calibration().target())
                            .contains("calibration:8081")
                            .doesNotContain("secret");
                });
    }

    private static String everything(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            text.append(cause).append('\n');
        }
        return text.toString();
    }
}
