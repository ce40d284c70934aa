package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import io.eldr.helm.Rendered.Runs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each feature on and off, and what it puts into the objects. */
class FeaturesTest {
    private static final String POOL = "name: p, model: m, layers: 1, experts: 2, topK: 1";

    @BeforeAll
    static void requireHelm() {
        Chart.requireHelm();
    }

    @Test
    void lintsStrictly() {
        LintResult lint = new Helm(Chart.FOLDER).lint().strict().call();
        assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
    }

    @Test
    void byDefaultItInstallsByItselfWithATrialPostgres() {
        Rendered chart = Chart.byDefault();
        assertThat(chart.all(Deployment.class).stream().map(FeaturesTest::name))
                .containsExactlyInAnyOrder("eldr-router", "eldr-calibration", "eldr-admin-ui");
        assertThat(chart.all(StatefulSet.class).stream().map(FeaturesTest::name))
                .containsExactly("eldr-postgres");
        assertThat(chart.all(Job.class)).hasSize(1);
        assertThat(chart.all(Secret.class).stream().map(FeaturesTest::name))
                .containsExactlyInAnyOrder("eldr-postgres", "eldr-tokens", "eldr-users");
        assertThat(chart.all(Ingress.class)).isEmpty();
        assertThat(chart.all(HTTPRoute.class)).isEmpty();
        assertThat(chart.all(HorizontalPodAutoscaler.class)).isEmpty();
        assertThat(chart.all(ServiceMonitor.class)).isEmpty();
        assertThat(chart.all(PrometheusRule.class)).isEmpty();
        assertThat(chart.all(Role.class)).isEmpty();
        assertThat(chart.all(PodDisruptionBudget.class).stream().map(FeaturesTest::name))
                .containsExactly("eldr-router");
        assertThat(chart.all(Pod.class))
                .singleElement()
                .satisfies(
                        test -> assertThat(test.getMetadata().getAnnotations()).containsEntry("hook", "test"));
    }

    @Test
    void noPasswordIsTheSameTwice() {
        Rendered first = Chart.byDefault();
        Rendered second = Chart.render(Chart.RELEASE, Chart.NAMESPACE, "");
        Map<String, String> tokens = first.one(Secret.class, "eldr-tokens").getStringData();
        assertThat(tokens).hasSize(6);
        assertThat(tokens.get("admin-token")).hasSize(48);
        tokens.forEach((key, value) -> assertThat(
                        second.one(Secret.class, "eldr-tokens").getStringData())
                .doesNotContainEntry(key, value));
        assertThat(first.one(Secret.class, "eldr-postgres").getStringData().get("password"))
                .hasSize(32)
                .isNotEqualTo(second.one(Secret.class, "eldr-postgres")
                        .getStringData()
                        .get("password"));
        assertThat(first.one(Secret.class, "eldr-users").getStringData().get("users"))
                .containsPattern("(?m)^admin admin \\$2a\\$10\\$[./A-Za-z0-9]{53}$");
    }

    @Test
    void theMigrationIsAJobThatHelmDoesNotWaitForAndEveryServiceWaitsForWhatItDoes() {
        Rendered chart = Chart.byDefault();
        Job job = chart.all(Job.class).getFirst();
        assertThat(job.getMetadata().getAnnotations()).isEmpty();
        assertThat(name(job)).matches("eldr-migrate-0-[0-9]+-[0-9]+-[0-9a-f]{8}");
        Container migrate =
                job.getSpec().getTemplate().getSpec().getContainers().getFirst();
        assertThat(migrate.getArgs()).containsExactly("migrate");
        for (String service : List.of("eldr-router", "eldr-calibration")) {
            Container waits = spec(chart, service).getInitContainers().getFirst();
            assertThat(waits.getArgs()).startsWith("await-schema");
            // The image that migrates knows what the services of its version need.
            assertThat(waits.getImage()).isEqualTo(migrate.getImage());
            assertThat(waits.getEnv()).isEqualTo(migrate.getEnv());
        }
        assertThat(spec(chart, "eldr-admin-ui").getInitContainers()).isEmpty();
    }

    @Test
    void anotherImageOrVersionIsAnotherJobAndTheSameIsTheSame() {
        String job = name(Chart.byDefault().all(Job.class).getFirst());
        assertThat(name(Chart.with("router: {replicas: 5}").all(Job.class).getFirst()))
                .isEqualTo(job);
        assertThat(name(Chart.with("image: {tag: '2'}").all(Job.class).getFirst()))
                .isNotEqualTo(job);
        assertThat(name(Chart.with("calibration: {image: {repository: r, digest: 'sha256:" + "0".repeat(64) + "'}}")
                        .all(Job.class)
                        .getFirst()))
                .isNotEqualTo(job);
    }

    @Test
    void anAutoscalerReplacesTheNumberOfReplicas() {
        assertThat(deployment(Chart.byDefault(), "eldr-router").getSpec().getReplicas())
                .isEqualTo(2);
        Rendered byCpu = Chart.with("router: {autoscaling: {enabled: true, maxReplicas: 4}}");
        assertThat(deployment(byCpu, "eldr-router").getSpec().getReplicas()).isNull();
        HorizontalPodAutoscaler cpu = byCpu.all(HorizontalPodAutoscaler.class).getFirst();
        assertThat(cpu.getSpec().getScaleTargetRef().getName()).isEqualTo("eldr-router");
        assertThat(cpu.getSpec().getMaxReplicas()).isEqualTo(4);
        assertThat(cpu.getSpec().getMetrics())
                .singleElement()
                .extracting(metric -> metric.getResource().getName())
                .isEqualTo("cpu");
        Rendered byDecisions = Chart.withFile("production");
        assertThat(deployment(byDecisions, "eldr-router").getSpec().getReplicas())
                .isNull();
        MetricSpec decisions = byDecisions
                .all(HorizontalPodAutoscaler.class)
                .getFirst()
                .getSpec()
                .getMetrics()
                .getLast();
        assertThat(decisions.getPods().getMetric().getName()).isEqualTo("eldr_router_decisions_per_second");
        assertThat(decisions.getPods().getTarget().getAverageValue().getAmount())
                .isEqualTo("2000");
    }

    @Test
    void aStopWaitsLongerThanStreamsLast() {
        PodSpec router = spec(Chart.withFile("production"), "eldr-router");
        assertThat(router.getTerminationGracePeriodSeconds()).isGreaterThan(10 + 1_800);
        assertThat(router.getContainers()
                        .getFirst()
                        .getLifecycle()
                        .getPreStop()
                        .getSleep()
                        .getSeconds())
                .isEqualTo(10);
        assertThat(Chart.withFile("production")
                        .config("eldr-router")
                        .at("/spring/lifecycle/timeout-per-shutdown-phase")
                        .asText())
                .isEqualTo("1800s");
    }

    @Test
    void poolsBecomeDiscoveryForRoutersAndDeclarationsForCalibration() {
        Rendered chart = Chart.withFile("production");
        JsonNode discovered = chart.config("eldr-router").at("/eldr/router/kubernetes/pools");
        assertThat(discovered).hasSize(2);
        assertThat(discovered.get(0).toString())
                .isEqualTo(
                        "{\"namespace\":\"engines\",\"pool\":\"qwen3-30b\",\"port-name\":\"http\",\"probe\":\"http\","
                                + "\"role\":\"decode\",\"selector\":\"kubernetes.io/service-name=qwen3-decode\"}");
        assertThat(discovered.get(1).path("role").asText()).isEqualTo("prefill");
        JsonNode declared = chart.config("eldr-calibration").at("/eldr/calibration/pools");
        assertThat(declared).hasSize(2);
        assertThat(declared.get(0).path("dialect").asText()).isEqualTo("vllm");
        assertThat(declared.get(0).path("engine-model").asText()).isEqualTo("Qwen/Qwen3-30B-A3B");
        assertThat(declared.get(0).path("adapters").toString()).isEqualTo("[\"qwen3-law\"]");
        assertThat(declared.get(0).path("workers")).isEmpty();
        assertThat(declared.get(1).fieldNames()).toIterable().doesNotContain("dialect", "engine-model", "adapters");
        assertThat(declared.get(1).path("workers").get(1).toString())
                .isEqualTo("{\"probe\":\"http\",\"role\":\"decode\",\"slot\":\"gpt-oss-1\","
                        + "\"url\":\"http://10.20.0.8:8000\"}");
        assertThat(declared.get(1).path("top-k").asInt()).isEqualTo(4);
    }

    @Test
    void routersMayReadEndpointSlicesWhereEnginesAreAndNothingElse() {
        Rendered chart = Chart.withFile("production");
        assertThat(chart.all(Role.class)).singleElement().satisfies(role -> {
            assertThat(role.getMetadata().getNamespace()).isEqualTo("engines");
            assertThat(role.getRules()).singleElement().satisfies(rule -> {
                assertThat(rule.getApiGroups()).containsExactly("discovery.k8s.io");
                assertThat(rule.getResources()).containsExactly("endpointslices");
                assertThat(rule.getVerbs()).containsExactly("get", "list", "watch");
            });
        });
        assertThat(chart.all(RoleBinding.class).getFirst().getSubjects())
                .singleElement()
                .satisfies(subject -> {
                    assertThat(subject.getName()).isEqualTo("eldr-router");
                    assertThat(subject.getNamespace()).isEqualTo("serving");
                });
        Rendered two = Chart.with(
                "pools: [{" + POOL + ", decode: {selector: 'app=d', namespace: a}," + " prefill: {service: p}}]");
        assertThat(two.all(Role.class).stream().map(role -> role.getMetadata().getNamespace()))
                .containsExactlyInAnyOrder("a", "serving");
        assertThat(Chart.with("pools: [{" + POOL + ", decode: {urls: {d: 'http://d:1'}}}]")
                        .all(Role.class))
                .isEmpty();
    }

    @Test
    void tlsIsOnEveryPortAndProbesSpeakIt() {
        Rendered chart = Chart.withFile("production");
        for (String service : List.of("eldr-router", "eldr-calibration", "eldr-admin-ui")) {
            JsonNode config = chart.config(service);
            assertThat(config.at("/server/ssl/bundle").asText()).isEqualTo("eldr");
            assertThat(config.at("/management/server/ssl/bundle").asText()).isEqualTo("eldr");
            Container container = spec(chart, service).getContainers().getFirst();
            assertThat(container.getReadinessProbe().getHttpGet().getScheme()).isEqualTo("HTTPS");
            assertThat(Chart.byDefault().config(service).has("ssl")).isFalse();
        }
        assertThat(chart.config("eldr-router")
                        .at("/eldr/router/calibration/url")
                        .asText())
                .isEqualTo("https://eldr-calibration:8081");
        assertThat(env(chart, "eldr-router", "ELDR_ROUTER_URL")).isEqualTo("https://$(POD_IP):8080");
        assertThat(env(Chart.with("router: {ipv6: true}"), "eldr-router", "ELDR_ROUTER_URL"))
                .isEqualTo("http://[$(POD_IP)]:8080");
    }

    @Test
    void noSecretStandsInConfiguration() {
        for (ConfigMap config : Chart.withFile("production").all(ConfigMap.class)) {
            if (config.getData().containsKey("application.yaml")) {
                JsonNode tokens =
                        Rendered.yaml(config.getData().get("application.yaml")).at("/eldr/access/tokens");
                tokens.forEach(token ->
                        assertThat(token.path("sha256").asText()).matches("\\$\\{tokens\\.[a-z0-9-]+}|[0-9a-f]{64}"));
            }
        }
        assertThat(Chart.withFile("production").all(Secret.class)).isEmpty();
        // Only the router's own token is there in clear, where it is sent from.
        assertThat(Chart.byDefault().pods().stream()
                        .filter(runs -> runs.spec().toString().contains("key=admin-token,"))
                        .map(Runs::component))
                .isEmpty();
    }

    @Test
    void oidcReplacesBuiltInUsers() {
        JsonNode builtIn = Chart.byDefault().config("eldr-admin-ui");
        assertThat(builtIn.at("/eldr/admin/users/enabled").asBoolean()).isTrue();
        Rendered chart = Chart.withFile("production");
        JsonNode oidc = chart.config("eldr-admin-ui");
        assertThat(oidc.at("/eldr/admin/users/enabled").asBoolean()).isFalse();
        assertThat(oidc.at("/spring/security/oauth2/client/provider/oidc/issuer-uri")
                        .asText())
                .isEqualTo("https://id.example.com/realms/ops");
        assertThat(oidc.at("/eldr/admin/oidc/roles/admin/0").asText()).isEqualTo("eldr-admins");
        assertThat(chart.find(Secret.class, "eldr-users")).isEmpty();
        assertThat(spec(chart, "eldr-admin-ui")
                        .getContainers()
                        .getFirst()
                        .getReadinessProbe()
                        .getHttpGet()
                        .getPath())
                .isEqualTo("/eldr/readyz");
    }

    @Test
    void routersAndCalibrationTakeTheTokensOfAProvider() {
        for (String service : List.of("eldr-router", "eldr-calibration")) {
            assertThat(Chart.byDefault().config(service).at("/eldr/access/oidc").isMissingNode())
                    .isTrue();
            JsonNode oidc = Chart.withFile("production").config(service).at("/eldr/access/oidc");
            assertThat(oidc.path("issuer-uri").asText()).isEqualTo("https://id.example.com/realms/ops");
            assertThat(oidc.has("jwk-set-uri")).isFalse();
            assertThat(oidc.at("/audiences/0").asText()).isEqualTo("eldr");
            assertThat(oidc.path("roles-claim").asText()).isEqualTo("realm_access.roles");
            assertThat(oidc.at("/roles/operator/0").asText()).isEqualTo("eldr-oncall");
        }
    }

    @Test
    void hostsAreExposedByIngressAndByGateway() {
        Rendered chart = Chart.withFile("production");
        Ingress ingress = chart.all(Ingress.class).getFirst();
        assertThat(ingress.getMetadata().getAnnotations())
                .containsEntry("nginx.ingress.kubernetes.io/proxy-buffering", "off")
                .containsEntry("nginx.ingress.kubernetes.io/backend-protocol", "HTTPS");
        assertThat(ingress.getSpec().getRules()).singleElement().satisfies(rule -> {
            assertThat(rule.getHost()).isEqualTo("eldr.example.com");
            assertThat(rule.getHttp().getPaths().getFirst().getPath()).isEqualTo("/eldr");
        });
        assertThat(ingress.getSpec().getTls().getFirst().getHosts()).containsExactly("eldr.example.com");
        HTTPRoute route = chart.all(HTTPRoute.class).getFirst();
        assertThat(route.getSpec().getHostnames()).containsExactly("llm.example.com");
        Rendered all = Chart.with(
                "ingress: {enabled: true, routerHost: r.example, adminHost: a.example, calibrationHost: c.example}");
        for (var rule : all.all(Ingress.class).getFirst().getSpec().getRules()) {
            var backend = rule.getHttp().getPaths().getFirst().getBackend().getService();
            assertThat(all.one(Service.class, backend.getName()).getSpec().getPorts())
                    .anyMatch(port -> port.getName().equals(backend.getPort().getName()));
        }
        assertThat(route.getSpec().getRules().getFirst().getBackendRefs())
                .singleElement()
                .satisfies(backend -> assertThat(chart.one(Service.class, backend.getName())
                                .getSpec()
                                .getPorts())
                        .anyMatch(port -> port.getPort().equals(backend.getPort())));
    }

    @Test
    void whatOneAddsToAPodIsThere() {
        Rendered chart = Chart.withFile("production");
        Deployment router = deployment(chart, "eldr-router");
        PodSpec pod = router.getSpec().getTemplate().getSpec();
        assertThat(env(chart, "eldr-router", "OTEL_RESOURCE_ATTRIBUTES")).isEqualTo("cluster=a");
        assertThat(pod.getVolumes()).anyMatch(volume -> volume.getName().equals("extra"));
        assertThat(pod.getContainers().getFirst().getVolumeMounts())
                .anyMatch(mount -> mount.getMountPath().equals("/extra"));
        assertThat(router.getSpec().getTemplate().getMetadata().getAnnotations())
                .containsEntry("example.com/team", "serving");
        assertThat(router.getSpec().getTemplate().getMetadata().getLabels()).containsEntry("example.com/tier", "data");
        assertThat(pod.getNodeSelector()).containsEntry("kubernetes.io/os", "linux");
        assertThat(pod.getTolerations()).hasSize(1);
        assertThat(pod.getPriorityClassName()).isEqualTo("serving");
        assertThat(pod.getTopologySpreadConstraints()).hasSize(2);
        assertThat(pod.getContainers().getFirst().getImage())
                .isEqualTo("registry.example.com/eldr/router-service@sha256:" + "0123456789abcdef".repeat(4));
        assertThat(chart.config("eldr-router")
                        .at("/eldr/gateway/handoff-deadline")
                        .asText())
                .isEqualTo("20s");
    }

    @Test
    void anotherConfigurationIsAnotherPod() {
        assertThat(checksum(Chart.byDefault())).isNotEqualTo(checksum(Chart.with("router: {config: {a: 1}}")));
        assertThat(checksum(Chart.byDefault())).isEqualTo(checksum(Chart.with("calibration: {replicas: 2}")));
    }

    @Test
    void accountsAndPoliciesMayBeOnesOwn() {
        Rendered chart = Chart.with("router: {serviceAccount: {name: mine}}\nnetworkPolicy: {enabled: false}\n"
                + "adminUi: {enabled: false}\npools: [{" + POOL + ", decode: {service: d}}]");
        assertThat(chart.find(ServiceAccount.class, "eldr-router")).isEmpty();
        assertThat(spec(chart, "eldr-router").getServiceAccountName()).isEqualTo("mine");
        assertThat(chart.all(RoleBinding.class)
                        .getFirst()
                        .getSubjects()
                        .getFirst()
                        .getName())
                .isEqualTo("mine");
        assertThat(chart.all(NetworkPolicy.class)).isEmpty();
        assertThat(chart.find(Deployment.class, "eldr-admin-ui")).isEmpty();
        assertThat(chart.find(Secret.class, "eldr-users")).isEmpty();
    }

    private static String checksum(Rendered chart) {
        return deployment(chart, "eldr-router")
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getAnnotations()
                .getOrDefault("checksum/config", "");
    }

    private static String env(Rendered chart, String deployment, String name) {
        return spec(chart, deployment).getContainers().getFirst().getEnv().stream()
                .filter(variable -> variable.getName().equals(name))
                .map(EnvVar::getValue)
                .findFirst()
                .orElseThrow();
    }

    private static Deployment deployment(Rendered chart, String name) {
        return chart.one(Deployment.class, name);
    }

    private static PodSpec spec(Rendered chart, String name) {
        return deployment(chart, name).getSpec().getTemplate().getSpec();
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getName();
    }
}
