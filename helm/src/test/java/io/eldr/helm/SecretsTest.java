package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the chart does about secrets that are there or are not, in a cluster that it can ask. */
class SecretsTest {
    private static final String EXTERNAL = "postgres: {mode: external, host: db, existingSecret: eldr-db}\n";

    @Test
    void aMissingSecretStopsTheInstallAndSaysWhichAndWhere() {
        Chart.cluster().namespace("no-secrets");
        assertRefused("no-secrets", EXTERNAL)
                .contains("postgres.existingSecret: there is no secret \"eldr-db\" in namespace \"no-secrets\"")
                .contains("Create it with the keys username, password");
        assertRefused("no-secrets", "auth: {existingSecret: mine}").contains("auth.existingSecret: there is no secret");
        assertRefused("no-secrets", "tls: {secretName: mine}").contains("tls.secretName: there is no secret");
        assertRefused("no-secrets", "adminUi: {usersSecret: mine}").contains("adminUi.usersSecret: there is no secret");
        assertRefused("no-secrets", "adminUi: {oidc: {issuer: 'https://id', clientId: c, existingSecret: mine}}")
                .contains("adminUi.oidc.existingSecret: there is no secret");
        assertRefused("no-secrets", "auth: {tokens: [{name: a, role: client, secretName: mine, secretKey: k}]}")
                .contains("auth.tokens[0].secretName: there is no secret");
    }

    @Test
    void aMissingKeyIsNamed() {
        Chart.cluster().namespace("half-secrets");
        Chart.cluster().secret("half-secrets", "eldr-db", Map.of("username", "u"));
        assertRefused("half-secrets", EXTERNAL)
                .contains("secret \"eldr-db\" in namespace \"half-secrets\" has no key \"password\"");
    }

    @Test
    void whatIsThereIsTakenAndWhatComesLaterMayBeWaitedFor() {
        Chart.cluster().namespace("all-secrets");
        Chart.cluster().secret("all-secrets", "eldr-db", Map.of("username", "u", "password", "p"));
        assertThat(Chart.with(Chart.RELEASE, "all-secrets", EXTERNAL).find(Secret.class, "eldr-postgres"))
                .isEmpty();
        Chart.cluster().namespace("later-secrets");
        assertThat(Chart.with(Chart.RELEASE, "later-secrets", EXTERNAL + "checkSecrets: false")
                        .objects())
                .isNotEmpty();
    }

    @Test
    void anUpgradeKeepsWhatTheInstallMade() {
        Map<String, String> made = new HashMap<>();
        Rendered installed = Chart.byDefault();
        Chart.cluster().namespace("upgraded");
        for (Secret secret : installed.all(Secret.class)) {
            Chart.cluster().secret("upgraded", secret.getMetadata().getName(), secret.getStringData());
            made.putAll(secret.getStringData());
        }
        Rendered upgraded = Chart.with(Chart.RELEASE, "upgraded", "image: {tag: next}");
        assertThat(upgraded.all(Secret.class)).hasSize(3);
        for (Secret secret : upgraded.all(Secret.class)) {
            secret.getStringData()
                    .forEach((key, value) -> assertThat(value.strip())
                            .as(key)
                            .isEqualTo(made.getOrDefault(key, "").strip()));
        }
    }

    private static org.assertj.core.api.AbstractStringAssert<?> assertRefused(String namespace, String values) {
        return assertThat(org.assertj.core.api.Assertions.catchThrowable(
                                () -> Chart.render(Chart.RELEASE, namespace, values))
                        .getMessage())
                .as(values);
    }
}
