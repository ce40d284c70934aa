package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.helm.Rendered.Runs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must hold of the objects whatever the values are. Parsing them has refused unknown fields already. */
class RenderedObjectsTest {
    /** A name of each set of values to the keys of the secrets that it expects others to make. */
    private static final Map<String, Map<String, Set<String>>> SECRETS_OF_OTHERS = Map.of(
            "default",
            Map.of(),
            "minimal",
            Map.of("eldr-db", Set.of("username", "password")),
            "production",
            Map.of(
                    "registry-login", Set.of(),
                    "eldr-db", Set.of("username", "password"),
                    "eldr-db-ca", Set.of("ca.crt"),
                    "eldr-tokens",
                            Set.of(
                                    "admin-token-sha256",
                                    "router-token",
                                    "router-token-sha256",
                                    "ui-token",
                                    "ui-token-sha256"),
                    "pool-proxy-token", Set.of("sha256"),
                    "eldr-tls", Set.of("tls.crt", "tls.key", "ca.crt"),
                    "eldr-oidc", Set.of("client-secret"),
                    "eldr-web", Set.of("tls.crt", "tls.key")));

    private static final String LABEL = "[a-z]([-a-z0-9]{0,61}[a-z0-9])?";

    @BeforeAll
    static void requireHelm() {
        Chart.requireHelm();
    }

    static Rendered of(String values) {
        return values.equals("default") ? Chart.byDefault() : Chart.withFile(values);
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "minimal", "production"})
    void haveNamesOfTheirOwnAndCommonLabels(String values) {
        Rendered chart = of(values);
        List<String> names = chart.objects().stream()
                .map(object -> object.getKind() + " "
                        + object.getMetadata().getNamespace() + "/"
                        + object.getMetadata().getName())
                .toList();
        assertThat(names).doesNotHaveDuplicates();
        for (HasMetadata object : chart.objects()) {
            assertThat(object.getMetadata().getName())
                    .matches(LABEL)
                    .startsWith(object.getKind().startsWith("Role") ? "serving-eldr" : "eldr");
            assertThat(object.getMetadata().getNamespace()).isNotBlank();
            assertThat(object.getMetadata().getLabels())
                    .containsEntry("app.kubernetes.io/instance", "eldr")
                    .containsEntry("app.kubernetes.io/managed-by", "Helm");
            assertThat(object.getMetadata().getLabels().values())
                    .allMatch(
                            label -> label.length() <= 63 && label.matches("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "minimal", "production"})
    void everyContainerPassesTheRestrictedPodSecurityStandardAndWritesNothingToItsRoot(String values) {
        for (Runs runs : of(values).pods()) {
            PodSecurityContext pod = runs.spec().getSecurityContext();
            assertThat(pod.getRunAsNonRoot()).as("%s", runs).isTrue();
            assertThat(pod.getRunAsUser()).as("%s", runs).isPositive();
            assertThat(pod.getSeccompProfile().getType()).as("%s", runs).isEqualTo("RuntimeDefault");
            assertThat(runs.spec().getHostNetwork()).as("%s", runs).isNull();
            assertThat(runs.spec().getHostPID()).as("%s", runs).isNull();
            assertThat(runs.spec().getEnableServiceLinks()).as("%s", runs).isFalse();
            for (Container container : runs.containers()) {
                SecurityContext security = container.getSecurityContext();
                assertThat(security.getReadOnlyRootFilesystem()).as("%s", runs).isTrue();
                assertThat(security.getAllowPrivilegeEscalation())
                        .as("%s", runs)
                        .isFalse();
                assertThat(security.getCapabilities().getDrop()).as("%s", runs).containsExactly("ALL");
                assertThat(security.getCapabilities().getAdd()).as("%s", runs).isEmpty();
                assertThat(security.getPrivileged()).as("%s", runs).isNull();
                assertThat(container.getResources().getRequests())
                        .as("%s", runs)
                        .containsKeys("cpu", "memory");
                assertThat(container.getResources().getLimits()).as("%s", runs).containsKey("memory");
                assertThat(container.getVolumeMounts())
                        .as("%s writes temporary files", runs)
                        .anyMatch(mount -> mount.getMountPath().equals("/tmp"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "minimal", "production"})
    void onlyRoutersThatLookForWorkersHoldATokenOfTheCluster(String values) {
        for (Runs runs : of(values).pods()) {
            boolean discovers = values.equals("production") && runs.component().equals("router");
            assertThat(runs.spec().getAutomountServiceAccountToken())
                    .as("%s", runs)
                    .isEqualTo(discovers);
        }
        assertThat(of(values).all(ServiceAccount.class))
                .allMatch(account -> Boolean.FALSE.equals(account.getAutomountServiceAccountToken()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "minimal", "production"})
    void everyServiceSelectsThePodsOfOneWorkloadAndNamesAPortOfTheirs(String values) {
        Rendered chart = of(values);
        for (Service service : chart.all(Service.class)) {
            List<Runs> selected = selected(chart, service.getSpec().getSelector());
            assertThat(selected).as(service.getMetadata().getName()).hasSize(1);
            for (ServicePort port : service.getSpec().getPorts()) {
                assertThat(portNames(selected.getFirst()))
                        .as(service.getMetadata().getName())
                        .contains(port.getTargetPort().getStrVal());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "minimal", "production"})
    void probesAndBudgetsMeetThePodsTheyAreFor(String values) {
        Rendered chart = of(values);
        for (Runs runs : chart.pods()) {
            for (Container container : runs.spec().getContainers()) {
                Stream.of(container.getStartupProbe(), container.getLivenessProbe(), container.getReadinessProbe())
                        .filter(Objects::nonNull)
                        .map(RenderedObjectsTest::probedPort)
                        .flatMap(Optional::stream)
                        .forEach(port ->
                                assertThat(portNames(runs)).as("%s", runs).contains(port.getStrVal()));
            }
        }
        for (PodDisruptionBudget budget : chart.all(PodDisruptionBudget.class)) {
            List<Runs> selected = selected(chart, budget.getSpec().getSelector().getMatchLabels());
            assertThat(selected).as(budget.getMetadata().getName()).hasSize(1);
            assertThat(selected.getFirst().by()).isInstanceOf(Deployment.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "minimal", "production"})
    void everyConfigMapSecretKeyAndAccountThatIsNamedIsThere(String values) {
        Rendered chart = of(values);
        Map<String, Set<String>> others = SECRETS_OF_OTHERS.getOrDefault(values, Map.of());
        Set<String> missing = new HashSet<>();
        for (Runs runs : chart.pods()) {
            for (Volume volume : runs.spec().getVolumes()) {
                if (volume.getConfigMap() != null) {
                    chart.one(ConfigMap.class, volume.getConfigMap().getName());
                }
                if (volume.getSecret() != null) {
                    require(
                            chart,
                            others,
                            volume.getSecret().getSecretName(),
                            volume.getSecret().getItems(),
                            missing);
                }
                if (volume.getProjected() != null) {
                    for (VolumeProjection source : volume.getProjected().getSources()) {
                        require(
                                chart,
                                others,
                                source.getSecret().getName(),
                                source.getSecret().getItems(),
                                missing);
                    }
                }
            }
            runs.spec().getImagePullSecrets().forEach(secret -> {
                if (!others.containsKey(secret.getName())) {
                    missing.add(secret.getName());
                }
            });
            if (runs.spec().getServiceAccountName() != null) {
                chart.one(ServiceAccount.class, runs.spec().getServiceAccountName());
            }
            assertMountsAreVolumes(runs);
        }
        for (RoleBinding binding : chart.all(RoleBinding.class)) {
            chart.one(ServiceAccount.class, binding.getSubjects().getFirst().getName());
            chart.one(
                    io.fabric8.kubernetes.api.model.rbac.Role.class,
                    binding.getRoleRef().getName());
        }
        assertThat(missing).isEmpty();
    }

    private static void assertMountsAreVolumes(Runs runs) {
        Set<String> volumes =
                runs.spec().getVolumes().stream().map(Volume::getName).collect(Collectors.toSet());
        Set<String> claimed = new HashSet<>(Set.of("data"));
        for (Container container : runs.containers()) {
            List<VolumeMount> mounts = container.getVolumeMounts();
            assertThat(mounts.stream().map(VolumeMount::getMountPath))
                    .as("%s", runs)
                    .doesNotHaveDuplicates();
            mounts.forEach(mount -> {
                if (!volumes.contains(mount.getName())) {
                    assertThat(claimed).as("%s", runs).contains(mount.getName());
                }
                claimed.add(mount.getName());
            });
        }
        assertThat(claimed).as("every volume of %s is mounted", runs).containsAll(volumes);
    }

    private static void require(
            Rendered chart, Map<String, Set<String>> others, String name, List<KeyToPath> items, Set<String> missing) {
        Set<String> keys = chart.find(Secret.class, name)
                .map(secret -> secret.getStringData().keySet())
                .orElse(others.getOrDefault(name, Set.of()));
        if (items.isEmpty() && keys.isEmpty()) {
            missing.add(name);
        }
        items.stream()
                .filter(item -> !keys.contains(item.getKey()))
                .forEach(item -> missing.add(name + "/" + item.getKey()));
        assertThat(items.stream().map(KeyToPath::getPath)).doesNotHaveDuplicates();
    }

    private static Optional<IntOrString> probedPort(Probe probe) {
        if (probe.getHttpGet() != null) {
            return Optional.of(probe.getHttpGet().getPort());
        }
        return probe.getTcpSocket() == null
                ? Optional.empty()
                : Optional.of(probe.getTcpSocket().getPort());
    }

    static List<String> portNames(Runs runs) {
        List<String> names = new ArrayList<>();
        runs.spec()
                .getContainers()
                .forEach(container -> container.getPorts().stream()
                        .map(ContainerPort::getName)
                        .forEach(names::add));
        return names;
    }

    static List<Runs> selected(Rendered chart, Map<String, String> selector) {
        return chart.pods().stream()
                .filter(runs -> runs.labels().entrySet().containsAll(selector.entrySet()))
                .toList();
    }
}
