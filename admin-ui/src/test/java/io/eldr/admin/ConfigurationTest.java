package io.eldr.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ConfigurationTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Properties.class)
            .withPropertyValues("eldr.admin.calibration-url=http://calibration:8081", "eldr.admin.token=secret");

    @EnableConfigurationProperties({EldrProperties.class, AdminProperties.class})
    static class Properties {}

    @Test
    void theDefaultsAreThoseOfTheFile() {
        runner.run(context -> {
            AdminProperties properties = context.getBean(AdminProperties.class);
            assertThat(properties.live().interval()).isEqualTo(Duration.ofSeconds(1));
            assertThat(properties.live().timeout()).isEqualTo(Duration.ofSeconds(2));
            assertThat(properties.live().maxStreams()).isEqualTo(500);
            assertThat(properties.calls().timeout()).isEqualTo(Duration.ofSeconds(60));
            assertThat(properties.calls().maxBody().toMegabytes()).isEqualTo(64);
            assertThat(properties.session().lifetime()).isEqualTo(Duration.ofHours(8));
            assertThat(properties.session().failures()).isEqualTo(5);
            assertThat(properties.session().lockFor()).isEqualTo(Duration.ofMinutes(1));
            assertThat(properties.users().enabled()).isTrue();
            assertThat(properties.users().passwords()).isEmpty();
            assertThat(properties.oidc().rolesClaim()).isEqualTo("roles");
            assertThat(properties.routers()).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "eldr.admin.calibration-url=calibration:8081, eldr.admin.calibration-url must be an http",
        "eldr.admin.token=, eldr.admin.token is missing",
        "eldr.admin.live.interval=1ms, eldr.admin.live.interval must be between",
        "eldr.admin.live.max-streams=0, eldr.admin.live.max-streams must be between",
        "eldr.admin.calls.max-body=2GB, eldr.admin.calls.max-body must be between",
        "eldr.admin.session.lifetime=8d, eldr.admin.session.lifetime must be between",
        "eldr.admin.session.failures=0, eldr.admin.session.failures must be between",
        "eldr.admin.users.passwords.root=a long password, eldr.admin.users.passwords knows viewer",
        "eldr.admin.users.passwords.admin=short, eldr.admin.users.passwords.admin must have 12",
        "eldr.admin.oidc.roles.root=x, eldr.admin.oidc.roles knows viewer",
        "eldr.admin.routers[0].name=a/b, routers[].name must be",
        "eldr.admin.unknown=1, unknown",
        "eldr.unknown=1, unknown"
    })
    void badConfigurationStopsTheStartWithTheNameOfTheProperty(String property, String message) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context.getStartupFailure())
                        .isNotNull()
                        .satisfies(failure -> assertThat(
                                        Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                                                .map(Throwable::getMessage))
                                .anyMatch(text -> text != null && text.contains(message))));
    }
}
