package io.eldr.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.service.testing.ChartConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dashboard knows every setting that the chart gives it. */
class ChartConfigurationTest {
    private final ChartConfiguration chart = ChartConfiguration.of("admin-ui");

    @Test
    void everySettingOfTheChartIsOneOfTheDashboards() {
        AdminProperties admin = chart.bind("eldr.admin", AdminProperties.class);
        assertThat(admin.calibrationUrl()).hasToString("https://eldr-calibration:8081");
        assertThat(admin.calls().sslBundle()).isEqualTo("eldr");
        assertThat(admin.users().enabled()).isFalse();
        assertThat(admin.oidc().roles()).containsEntry("admin", List.of("eldr-admins"));
        chart.bind("eldr", EldrProperties.class);
    }
}
