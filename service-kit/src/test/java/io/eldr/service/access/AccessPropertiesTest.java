package io.eldr.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class AccessPropertiesTest {

    private static final String DIGEST = TokenDigest.of("secret").hex();

    private final Map<String, String> properties = new HashMap<>(Map.of(
            "eldr.access.tokens[0].name", "laptop",
            "eldr.access.tokens[0].role", "admin",
            "eldr.access.tokens[0].sha256", DIGEST));

    @Test
    void readsTokensWithTheirDefaults() {
        runner().run(context -> assertThat(
                        context.getBean(AccessProperties.class).tokens())
                .containsExactly(new AccessProperties.TokenProperties("laptop", Role.ADMIN, DIGEST, false)));
    }

    @Test
    void knowsNobodyWithoutConfiguration() {
        properties.clear();

        runner().run(context ->
                assertThat(context.getBean(AccessProperties.class).tokens()).isEmpty());
    }

    @Test
    void takesDigestsInUpperCase() {
        properties.put("eldr.access.tokens[0].sha256", DIGEST.toUpperCase(Locale.ROOT));

        runner().run(context ->
                assertThat(context.getBean(AccessTokens.class).find("secret")).isPresent());
    }

    @Test
    void refusesADigestThatIsTooShortAndNamesIt() {
        properties.put("eldr.access.tokens[0].sha256", "abc");

        assertStartFails().hasStackTraceContaining("eldr.access.tokens[0]").hasStackTraceContaining("sha256 must be");
    }

    @Test
    void refusesADigestWithOtherCharacters() {
        properties.put("eldr.access.tokens[0].sha256", "g".repeat(64));

        assertStartFails().hasStackTraceContaining("eldr.access.tokens[0]").hasStackTraceContaining("sha256 must be");
    }

    @Test
    void refusesAnUnknownRoleAndNamesIt() {
        properties.put("eldr.access.tokens[0].role", "root");

        assertStartFails().hasStackTraceContaining("eldr.access.tokens[0].role");
    }

    @Test
    void refusesATokenWithoutARole() {
        properties.remove("eldr.access.tokens[0].role");

        assertStartFails().hasStackTraceContaining("eldr.access.tokens[0]").hasStackTraceContaining("role is missing");
    }

    @Test
    void refusesANameThatLogsCouldNotShow() {
        properties.put("eldr.access.tokens[0].name", "two\nlines");

        assertStartFails().hasStackTraceContaining("eldr.access.tokens[0]").hasStackTraceContaining("name must be");
    }

    @Test
    void refusesTwoTokensOfOneName() {
        properties.put("eldr.access.tokens[1].name", "laptop");
        properties.put("eldr.access.tokens[1].role", "viewer");
        properties.put("eldr.access.tokens[1].sha256", TokenDigest.of("other").hex());

        assertStartFails().hasStackTraceContaining("eldr.access.tokens[1].name is the same");
    }

    @Test
    void refusesOneTokenUnderTwoNames() {
        properties.put("eldr.access.tokens[1].name", "desk");
        properties.put("eldr.access.tokens[1].role", "viewer");
        properties.put("eldr.access.tokens[1].sha256", DIGEST);

        assertStartFails().hasStackTraceContaining("eldr.access.tokens[1].sha256 is the same");
    }

    @Test
    void refusesAPropertyItDoesNotKnow() {
        properties.put("eldr.access.tokens[0].rolle", "admin");

        assertStartFails().hasStackTraceContaining("eldr.access.tokens[0].rolle");
    }

    @Test
    void knowsNoProviderWithoutAnIssuer() {
        properties.put("eldr.access.oidc.issuer-uri", "");

        runner().run(context -> assertThat(
                        context.getBean(AccessProperties.class).oidc().issuer())
                .isEmpty());
    }

    @Test
    void readsAProvider() {
        provider();
        properties.put("eldr.access.oidc.roles.client", "gateways, routers");

        runner().run(context -> assertThat(
                        context.getBean(AccessProperties.class).oidc())
                .isEqualTo(new OidcProperties(
                        "https://id.example.com/realms/main",
                        null,
                        List.of("eldr"),
                        "roles",
                        Map.of(Role.CLIENT, List.of("gateways", "routers")))));
    }

    @Test
    void refusesAProviderWhoseTokensForAllOthersWouldCount() {
        provider();
        properties.remove("eldr.access.oidc.audiences");

        assertStartFails().hasStackTraceContaining("eldr.access.oidc.audiences is missing");
    }

    @Test
    void refusesAProvidersSettingsWithoutItsIssuer() {
        provider();
        properties.remove("eldr.access.oidc.issuer-uri");

        assertStartFails().hasStackTraceContaining("eldr.access.oidc.issuer-uri is missing");
    }

    @ParameterizedTest
    @CsvSource({
        "eldr.access.oidc.issuer-uri, id.example.com",
        "eldr.access.oidc.issuer-uri, 'https://id example'",
        "eldr.access.oidc.jwk-set-uri, 'ftp://id.example.com/keys'",
        "eldr.access.oidc.roles-claim, ' '",
        "eldr.access.oidc.roles.root, everybody",
        "eldr.access.oidc.audience, eldr"
    })
    void refusesBadSettingsOfAProviderAndNamesThem(String property, String value) {
        provider();
        properties.put(property, value);

        assertStartFails().hasStackTraceContaining(property.contains(".roles.") ? "eldr.access.oidc.roles" : property);
    }

    private void provider() {
        properties.put("eldr.access.oidc.issuer-uri", "https://id.example.com/realms/main");
        properties.put("eldr.access.oidc.audiences", "eldr");
    }

    @Test
    void refusesADuplicateAlsoWithoutSpring() {
        AccessProperties.TokenProperties token =
                new AccessProperties.TokenProperties("laptop", Role.VIEWER, DIGEST, false);

        assertThatThrownBy(() -> new AccessProperties(List.of(token, token), OidcProperties.none()))
                .hasMessageContaining("eldr.access.tokens[1].name");
    }

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withUserConfiguration(AccessConfiguration.class)
                .withPropertyValues(properties.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toArray(String[]::new));
    }

    private AbstractThrowableAssert<?, ?> assertStartFails() {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        runner().run(context -> failure.set(context.getStartupFailure()));
        return assertThat(failure.get());
    }
}
