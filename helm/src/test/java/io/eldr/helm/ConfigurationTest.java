package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
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
        Path kept = Path.of("src/test/resources/rendered", service + ".yaml");
        String rendered = Chart.withFile("production")
                .one(ConfigMap.class, service)
                .getData()
                .get("application.yaml");
        if (Boolean.getBoolean("eldr.rendered.write")) {
            Files.writeString(kept, rendered);
        }
        assertThat(Files.readString(kept)).isEqualTo(rendered);
    }
}
