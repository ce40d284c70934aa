package io.eldr.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.service.access.AccessProperties;
import io.eldr.service.access.Role;
import io.eldr.service.testing.ChartConfiguration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The router knows every setting that the chart gives it. */
class ChartConfigurationTest {
    private final ChartConfiguration chart = ChartConfiguration.of("router");

    @Test
    void everySettingOfTheChartIsOneOfTheRouters() {
        RouterProperties router = chart.bind("eldr.router", RouterProperties.class);
        assertThat(router.lastGoodDirectory())
                .hasValueSatisfying(path -> assertThat(path).hasToString("/var/lib/eldr"));
        assertThat(router.calibration().target())
                .hasValueSatisfying(target -> assertThat(target.url()).hasToString("https://eldr-calibration:8081"));
        assertThat(router.calibration().sslBundle()).isEqualTo("eldr");
        assertThat(chart.bind("eldr.router.kubernetes", "io.eldr.router.discovery.KubernetesProperties")
                        .toString())
                .contains("selector=kubernetes.io/service-name=qwen3-decode", "role=PREFILL", "portName=http");
        assertThat(chart.bind("eldr.gateway", "io.eldr.router.gateway.GatewayProperties")
                        .toString())
                .contains("PT20S");
        AccessProperties access = chart.bind("eldr.access", AccessProperties.class);
        assertThat(access.tokens().stream().map(AccessProperties.TokenProperties::name))
                .containsExactly("admin", "router", "admin-ui", "pool-proxy", "oncall");
        assertThat(access.oidc().issuer()).contains("https://id.example.com/realms/ops");
        assertThat(access.oidc().audiences()).containsExactly("eldr");
        assertThat(access.oidc().rolesClaim()).isEqualTo("realm_access.roles");
        assertThat(access.oidc().roles())
                .isEqualTo(Map.of(Role.CLIENT, List.of("eldr-gateways"), Role.OPERATOR, List.of("eldr-oncall")));
        chart.bind("eldr", EldrProperties.class);
    }
}
