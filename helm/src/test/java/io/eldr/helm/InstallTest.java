package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.UpgradeCommand;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Helm itself installs and upgrades with {@code --atomic --wait} where services become ready only after the migration. */
class InstallTest {
    private static final int PATIENCE_SECONDS = 180;

    @BeforeAll
    static void requireHelm() {
        Chart.requireHelm();
    }

    @Test
    void anInstallAndUpgradesComeToTheirEnd() throws IOException {
        try (ApiServer cluster = new ApiServer()) {
            assertThat(install(cluster).waitReady().atomic().call().getStatus()).isEqualTo("deployed");
            assertThat(cluster.names("deployments"))
                    .containsExactlyInAnyOrder("eldr-router", "eldr-calibration", "eldr-admin-ui");
            List<String> first = cluster.names("jobs");
            assertThat(first).hasSize(1);
            String token = cluster.object("secrets", "eldr-tokens").toString();

            int before = cluster.log().size();
            assertThat(upgrade(cluster, "router.replicas", 3).call().getStatus())
                    .isEqualTo("deployed");
            assertThat(cluster.names("jobs")).as("the same image migrates once").isEqualTo(first);
            assertThat(cluster.log().subList(before, cluster.log().size())).contains("PATCH deployments/eldr-router");

            assertThat(upgrade(cluster, "image.tag", "next").call().getStatus()).isEqualTo("deployed");
            assertThat(cluster.names("jobs")).hasSize(1).doesNotContainAnyElementsOf(first);
            assertThat(cluster.object("secrets", "eldr-tokens").at("/data")).isNotNull();
            assertThat(token).isNotEmpty();
        }
    }

    @Test
    void withoutPostgresAnInstallFailsAndLeavesNothing() throws IOException {
        try (ApiServer cluster = new ApiServer()) {
            cluster.postgresAnswers(false);
            assertThatThrownBy(() ->
                            install(cluster).waitReady().atomic().withTimeout(2).call())
                    .hasMessageContaining("eldr failed");
            assertThat(cluster.names("deployments")).isEmpty();
            assertThat(cluster.names("jobs")).isEmpty();
            // What the volume was made with stays.
            assertThat(cluster.names("secrets")).containsExactly("eldr-postgres");
        }
    }

    @Test
    void anUpgradeThatComesToNoEndGoesBack() throws IOException {
        try (ApiServer cluster = new ApiServer()) {
            install(cluster).waitReady().atomic().call();
            List<String> jobs = cluster.names("jobs");
            cluster.postgresAnswers(false);
            assertThatThrownBy(() -> upgrade(cluster, "image.tag", "next")
                            .atomic()
                            .withTimeout(2)
                            .call())
                    .hasMessageContaining("failed");
            assertThat(cluster.object("deployments", "eldr-router")
                            .at("/spec/template/spec/containers/0/image")
                            .asText())
                    .doesNotContain("next");
            assertThat(cluster.names("jobs")).isEqualTo(jobs);
        }
    }

    /** The schema is the next version's by then, and the pods are the old ones. */
    @Test
    void anUpgradeThatEndedBetweenMigrationAndRolloutIsFinishedByTheSameCommand() throws IOException {
        try (ApiServer cluster = new ApiServer()) {
            install(cluster).waitReady().atomic().call();
            List<String> before = cluster.names("jobs");
            cluster.podsComeUp(false);
            assertThatThrownBy(() ->
                            upgrade(cluster, "image.tag", "next").withTimeout(5).call())
                    .hasMessageContaining("deadline exceeded");
            List<String> migrated = cluster.names("jobs");
            assertThat(migrated).hasSize(1).doesNotContainAnyElementsOf(before);

            cluster.podsComeUp(true);
            assertThat(upgrade(cluster, "image.tag", "next").call().getStatus()).isEqualTo("deployed");
            assertThat(cluster.names("jobs")).as("nothing migrates twice").isEqualTo(migrated);
        }
    }

    private static InstallCommand install(ApiServer cluster) {
        return new Helm(Chart.FOLDER)
                .install()
                .withName(Chart.RELEASE)
                .withNamespace(Chart.NAMESPACE)
                .withKubeConfigContents(cluster.kubeconfig())
                .disableOpenApiValidation()
                .withTimeout(PATIENCE_SECONDS);
    }

    private static UpgradeCommand upgrade(ApiServer cluster, String value, Object to) {
        return new Helm(Chart.FOLDER)
                .upgrade()
                .withName(Chart.RELEASE)
                .withNamespace(Chart.NAMESPACE)
                .withKubeConfigContents(cluster.kubeconfig())
                .disableOpenApiValidation()
                .reuseValues()
                .set(value, to)
                .waitReady()
                .withTimeout(PATIENCE_SECONDS);
    }
}
