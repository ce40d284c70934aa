package io.eldr.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.service.access.AccessProperties;
import io.eldr.service.testing.ChartConfiguration;
import org.junit.jupiter.api.Test;

/** The calibration service knows every setting that the chart gives it. */
class ChartConfigurationTest {
    private final ChartConfiguration chart = ChartConfiguration.of("calibration");

    @Test
    void everySettingOfTheChartIsOneOfTheServices() {
        CalibrationProperties calibration = chart.bind("eldr.calibration", CalibrationProperties.class);
        assertThat(calibration.pools().stream().map(DeclaredPool::name)).containsExactly("qwen3-30b", "gpt-oss");
        DeclaredPool qwen = calibration.pools().getFirst();
        assertThat(qwen.topK()).isEqualTo(8);
        assertThat(qwen.revisionIfAny()).contains("2507");
        assertThat(qwen.aliases()).containsExactly("qwen3");
        assertThat(calibration.pools().getLast().workers()).hasSize(2);
        assertThat(chart.bind("eldr.access", AccessProperties.class).tokens()).hasSize(5);
        chart.bind("eldr", EldrProperties.class);
    }
}
