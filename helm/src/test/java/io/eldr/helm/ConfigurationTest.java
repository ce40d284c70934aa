package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What services are told with the values of production, kept in files that the services' own tests bind.
 * {@code -Deldr.rendered.write=true} writes them anew.
 */
class ConfigurationTest {
    @BeforeAll
    static void requireHelm() {
        Chart.requireHelm();
    }

    @ParameterizedTest
    @ValueSource(strings = {"eldr-router", "eldr-calibration", "eldr-admin-ui"})
    void isWhatTheTestsOfTheServicesBind(String service) throws IOException {
        assertKept(
                Path.of("src/test/resources/rendered", service + ".yaml"),
                Chart.withFile("production")
                        .one(ConfigMap.class, service)
                        .getData()
                        .getOrDefault("application.yaml", ""));
    }

    /** Without the dashboards, which are files of their own. */
    @Test
    void theProductionExampleInTheDocsIsWhatHelmRenders() throws IOException {
        String values = Chart.values("production").replaceFirst("(dashboards:\\s+enabled:) true", "$1 false");
        assertKept(
                Path.of("..", "docs", "production-example.yaml"),
                "# What `helm template eldr helm/eldr --namespace serving --values"
                        + " helm/src/test/resources/values/production.yaml` renders,\n"
                        + "# without dashboards. Kept current by the tests of the chart.\n"
                        + Chart.template(Chart.FOLDER, Chart.RELEASE, Chart.NAMESPACE, values));
    }

    private static void assertKept(Path file, String rendered) throws IOException {
        if (Boolean.getBoolean("eldr.rendered.write")) {
            Files.writeString(file, rendered);
        }
        assertThat(Files.readString(file)).isEqualTo(rendered);
    }
}
