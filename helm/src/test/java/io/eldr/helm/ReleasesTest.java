package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.helm.Rendered.Runs;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Releases beside one another and after one another. */
class ReleasesTest {
    private static final String POOLS =
            "pools: [{name: p, model: m, layers: 1, experts: 1, topK: 1, decode: {service: d, namespace: engines}}]";

    @BeforeAll
    static void requireHelm() {
        Chart.requireHelm();
    }

    @ParameterizedTest(name = "{0} in {1}")
    @CsvSource({
        "eldr, serving",
        "a, b",
        "7b-models, 1",
        "my.release.v2, team-x",
        "a-release-name-as-long-as-helm-lets-one-be-that-is-53, a-namespace-as-long-as-kubernetes-lets-one-be-which-is-63-here",
    })
    void namesOfObjectsAreWhatKubernetesAllows(String release, String namespace) {
        Rendered chart = Chart.with(release, namespace, POOLS + "\nmonitoring: {serviceMonitor: {enabled: true}}");
        for (HasMetadata object : chart.objects()) {
            String name = object.getMetadata().getName();
            int longest = object.getKind().startsWith("Role") ? 253 : 63;
            assertThat(name)
                    .as(object.getKind())
                    .hasSizeLessThanOrEqualTo(longest)
                    .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
            if (object instanceof Service) {
                assertThat(name).matches("[a-z].*");
            }
            if (object instanceof Deployment || object instanceof StatefulSet) {
                // What pods' names have behind it needs room.
                assertThat(name).hasSizeLessThanOrEqualTo(52);
            }
            object.getMetadata()
                    .getLabels()
                    .values()
                    .forEach(label -> assertThat(label).hasSizeLessThanOrEqualTo(63));
        }
        for (Service service : chart.all(Service.class)) {
            assertThat(RenderedObjectsTest.selected(chart, service.getSpec().getSelector()))
                    .hasSize(1);
        }
        assertThat(chart.config(name(chart, "router"))
                        .at("/eldr/router/calibration/url")
                        .asText())
                .isEqualTo("http://" + name(chart, "calibration") + ":8081");
    }

    @ParameterizedTest(name = "{0} beside {1}")
    @CsvSource({
        "one, two",
        "eldr, eldr-two",
        "eldr, eldr-router",
        "a-release-name-as-long-as-helm-lets-one-be-that-is-51, a-release-name-as-long-as-helm-lets-one-be-that-is-52",
    })
    void twoReleasesInOneNamespaceHaveNothingInCommon(String first, String second) {
        Rendered one = Chart.with(first, "serving", POOLS);
        Rendered two = Chart.with(second, "serving", POOLS);
        assertThat(names(one)).doesNotContainAnyElementsOf(names(two));
        for (Service service : one.all(Service.class)) {
            assertThat(RenderedObjectsTest.selected(two, service.getSpec().getSelector()))
                    .isEmpty();
        }
        for (Runs runs : one.pods()) {
            assertThat(runs.labels()).containsEntry("app.kubernetes.io/instance", first);
        }
    }

    /** One release of the same name in another namespace, which looks for its workers in the same third one. */
    @Test
    void rolesOfEqualReleasesInTwoNamespacesAreApart() {
        Set<String> one = names(Chart.with("eldr", "serving-a", POOLS));
        Set<String> two = names(Chart.with("eldr", "serving-b", POOLS));
        assertThat(one).doesNotContainAnyElementsOf(two);
    }

    @Test
    void theNextVersionChangesNothingThatCannotBeChanged(@TempDir Path directory) throws IOException {
        Path next = Chart.copy(directory.resolve("eldr"));
        Path about = next.resolve("Chart.yaml");
        Files.writeString(
                about,
                Files.readString(about)
                        .replaceFirst("(?m)^version: .*$", "version: 99.0.0")
                        .replaceFirst("(?m)^appVersion: .*$", "appVersion: 99.0.0"));
        assertUpgrades(Chart.byDefault(), Chart.render(next, Chart.RELEASE, Chart.NAMESPACE, ""));
        assertThat(jobs(Chart.byDefault()))
                .doesNotContainAnyElementsOf(jobs(Chart.render(next, Chart.RELEASE, Chart.NAMESPACE, "")));
    }

    @Test
    void thePreviousVersionUpgradesToThisOne() throws IOException {
        Rendered previous = Rendered.parse(Files.readString(Path.of("src/test/resources/previous/eldr-0.1.0.yaml")));
        assertUpgrades(previous, Chart.byDefault());
    }

    private static void assertUpgrades(Rendered before, Rendered after) {
        for (Deployment old : before.all(Deployment.class)) {
            assertThat(after.one(Deployment.class, old.getMetadata().getName())
                            .getSpec()
                            .getSelector())
                    .isEqualTo(old.getSpec().getSelector());
        }
        for (StatefulSet old : before.all(StatefulSet.class)) {
            StatefulSet now = after.one(StatefulSet.class, old.getMetadata().getName());
            assertThat(now.getSpec().getSelector()).isEqualTo(old.getSpec().getSelector());
            assertThat(now.getSpec().getServiceName()).isEqualTo(old.getSpec().getServiceName());
            assertThat(now.getSpec().getVolumeClaimTemplates())
                    .isEqualTo(old.getSpec().getVolumeClaimTemplates());
        }
        for (Job old : before.all(Job.class)) {
            after.find(Job.class, old.getMetadata().getName())
                    .ifPresent(now -> assertThat(now.getSpec().getTemplate())
                            .isEqualTo(old.getSpec().getTemplate()));
        }
        for (Service old : before.all(Service.class)) {
            Service now = after.one(Service.class, old.getMetadata().getName());
            assertThat(now.getSpec().getClusterIP()).isEqualTo(old.getSpec().getClusterIP());
        }
        // What holds data or keys is not deleted on the way.
        Set<String> kept = before.objects().stream()
                .filter(object -> List.of("Secret", "StatefulSet").contains(object.getKind()))
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .collect(Collectors.toSet());
        assertThat(names(after).stream()
                        .map(name -> name.replaceFirst("/.*/", " "))
                        .toList())
                .containsAll(kept);
    }

    private static Set<String> jobs(Rendered chart) {
        return chart.all(Job.class).stream()
                .map(job -> job.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private static String name(Rendered chart, String component) {
        return chart.all(Deployment.class).stream()
                .map(deployment -> deployment.getMetadata().getName())
                .filter(name -> name.endsWith("-" + component))
                .findFirst()
                .orElseThrow();
    }

    private static Set<String> names(Rendered chart) {
        Set<String> names = new HashSet<>();
        for (HasMetadata object : chart.objects()) {
            names.add(object.getKind() + "/" + object.getMetadata().getNamespace() + "/"
                    + object.getMetadata().getName());
        }
        return names;
    }
}
