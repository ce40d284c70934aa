package io.eldr.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.calibration.testing.TestServer;
import io.eldr.core.drift.DriftThresholds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;

class ConfigurationTest {
    private final ApplicationContextRunner bare =
            new ApplicationContextRunner().withUserConfiguration(Properties.class);

    @EnableConfigurationProperties({EldrProperties.class, CalibrationProperties.class})
    static class Properties {}

    @Test
    void hasTheDefaultsThatItsCommentedFileStates() {
        CalibrationProperties expected = new CalibrationProperties(
                new CalibrationProperties.Bodies(
                        DataSize.ofMegabytes(64), DataSize.ofMegabytes(64), DataSize.ofKilobytes(256)),
                new CalibrationProperties.Refit(
                        1,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofMillis(500),
                        5,
                        10_000,
                        16,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(30)),
                new CalibrationProperties.Schema(Duration.ofSeconds(1), Duration.ZERO),
                new CalibrationProperties.Samples(100_000, 180, Duration.ofMinutes(10), 1_000),
                new CalibrationProperties.Drift(2_000, 4, 0.1, 0.001, 0.02, 3),
                List.of(),
                new CalibrationProperties.Evaluation("", 16));
        assertThat(expected.drift().thresholds()).isEqualTo(DriftThresholds.DEFAULT);
        bare.run(context ->
                assertThat(context.getBean(CalibrationProperties.class)).isEqualTo(expected));
        bare.withInitializer(new ConfigDataApplicationContextInitializer())
                .run(context ->
                        assertThat(context.getBean(CalibrationProperties.class)).isEqualTo(expected));
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "eldr.calibration.bodies.samples, 10B",
        "eldr.calibration.bodies.artifact, 2GB",
        "eldr.calibration.bodies.other, 0B",
        "eldr.calibration.refit.threads, 0",
        "eldr.calibration.evaluation.max-open, 0",
        "eldr.calibration.refit.poll-interval, 1ms",
        "eldr.calibration.refit.heartbeat-interval, 1h",
        "eldr.calibration.refit.progress-interval, 0s",
        "eldr.calibration.refit.max-attempts, 0",
        "eldr.calibration.refit.max-samples, -1",
        "eldr.calibration.refit.max-open, 0",
        "eldr.calibration.refit.observed-within, 1ms",
        "eldr.calibration.refit.schedule-interval, 1ms",
        "eldr.calibration.refit.topology-quiet-time, 2d",
        "eldr.calibration.refit.threds, 2",
        "eldr.calibration.schema.check-interval, 1ms",
        "eldr.calibration.schema.patience, 2d",
        "eldr.calibration.pools[0].name, alone",
        "eldr.calibration.samples.max-samples, 0",
        "eldr.calibration.samples.max-age-days, 40000",
        "eldr.calibration.samples.retention-interval, 1ms",
        "eldr.calibration.samples.retention-batch, 0",
        "eldr.calibration.drift.window, 99",
        "eldr.calibration.drift.psi-factor, 0.5",
        "eldr.calibration.drift.psi-floor, -1",
        "eldr.calibration.drift.significance, 0",
        "eldr.calibration.drift.similarity-drop, NaN",
        "eldr.calibration.drift.windows-in-row, 0",
        "eldr.calibrtion.refit.threads, 2",
        "eldr.supervized, true"
    })
    void stopsTheStartNamingWhatItRefuses(String property, String value) {
        bare.withPropertyValues(property + "=" + value).run(context -> {
            assertThat(context).hasFailed();
            Throwable root = context.getStartupFailure();
            StringBuilder said = new StringBuilder();
            for (Throwable cause = root; cause != null; cause = cause.getCause()) {
                said.append(cause).append('\n');
            }
            assertThat(said.toString()).contains(property.substring(property.lastIndexOf('.') + 1));
        });
    }

    @Test
    void stopsTheWholeServiceForAnUnknownProperty() {
        assertThatThrownBy(() -> TestServer.start(
                        TestServer.sharedDatabase().springProperties(), List.of(), "eldr.calibration.refit.colour=red"))
                .hasStackTraceContaining("eldr.calibration.refit.colour");
    }
}
