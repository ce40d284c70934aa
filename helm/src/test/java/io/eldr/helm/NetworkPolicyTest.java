package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.helm.Rendered.Runs;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who can reach whom, by the meaning that Kubernetes gives the policies. */
class NetworkPolicyTest {

    @BeforeAll
    static void requireHelm() {
        Chart.requireHelm();
    }

    @Test
    void byDefaultEachEdgeThatIsNeededIsOpenAndNoOther() {
        assertThat(edges(Chart.byDefault()))
                .containsExactlyInAnyOrder(
                        "router -> router:http",
                        "admin-ui -> router:http",
                        "test -> router:http",
                        // Proxies of pools run in this namespace unless the values say where.
                        "any pod of this namespace -> router:http",
                        "router -> calibration:http",
                        "admin-ui -> calibration:http",
                        "test -> calibration:http",
                        "test -> admin-ui:http",
                        "router -> postgres:postgres",
                        "calibration -> postgres:postgres",
                        "migration -> postgres:postgres",
                        "namespace monitoring -> router:management",
                        "namespace monitoring -> calibration:management",
                        "namespace monitoring -> admin-ui:management");
    }

    @Test
    void inProductionClientsBrowsersAndOperatorsComeFromWhereTheValuesSay() {
        assertThat(edges(Chart.withFile("production")))
                .containsExactlyInAnyOrder(
                        "router -> router:http",
                        "admin-ui -> router:http",
                        "test -> router:http",
                        "namespace gateways -> router:http",
                        "router -> calibration:http",
                        "admin-ui -> calibration:http",
                        "test -> calibration:http",
                        "namespace batch -> calibration:http",
                        "test -> admin-ui:http",
                        "namespace ingress-nginx -> admin-ui:http",
                        "namespace monitoring -> router:management",
                        "namespace monitoring -> calibration:management",
                        "namespace monitoring -> admin-ui:management");
    }

    @Test
    void everyPodIsUnderAPolicySoThatNothingElseGetsIn() {
        for (Rendered chart : Set.of(Chart.byDefault(), Chart.withFile("production"))) {
            for (Runs runs : chart.pods()) {
                assertThat(chart.all(NetworkPolicy.class))
                        .as("%s", runs)
                        .anyMatch(policy -> matches(policy.getSpec().getPodSelector(), runs.labels())
                                && policy.getSpec().getPolicyTypes().contains("Ingress"));
            }
        }
    }

    @Test
    void noPolicySelectsPodsOfOthers() {
        Map<String, String> stranger =
                Map.of("app.kubernetes.io/name", "eldr", "app.kubernetes.io/instance", "another");
        assertThat(Chart.byDefault().all(NetworkPolicy.class))
                .isNotEmpty()
                .noneMatch(policy -> matches(policy.getSpec().getPodSelector(), stranger));
    }

    private static Set<String> edges(Rendered chart) {
        Set<String> edges = new TreeSet<>();
        for (NetworkPolicy policy : chart.all(NetworkPolicy.class)) {
            for (Runs to : chart.pods()) {
                if (matches(policy.getSpec().getPodSelector(), to.labels())) {
                    policy.getSpec().getIngress().forEach(rule -> add(edges, chart, to, rule));
                }
            }
        }
        return edges;
    }

    private static void add(Set<String> edges, Rendered chart, Runs to, NetworkPolicyIngressRule rule) {
        assertThat(rule.getFrom()).as("a rule without peers lets everybody in").isNotEmpty();
        assertThat(rule.getPorts()).as("a rule without ports opens all").isNotEmpty();
        rule.getPorts().forEach(port -> {
            String name = port.getPort().getStrVal();
            assertThat(RenderedObjectsTest.portNames(to)).contains(name);
            for (NetworkPolicyPeer peer : rule.getFrom()) {
                for (String from : from(chart, peer)) {
                    edges.add(from + " -> " + to.component() + ":" + name);
                }
            }
        });
    }

    private static Set<String> from(Rendered chart, NetworkPolicyPeer peer) {
        if (peer.getNamespaceSelector() != null) {
            return Set.of(
                    "namespace " + peer.getNamespaceSelector().getMatchLabels().get("kubernetes.io/metadata.name"));
        }
        if (peer.getPodSelector().getMatchLabels() == null
                || peer.getPodSelector().getMatchLabels().isEmpty()) {
            return Set.of("any pod of this namespace");
        }
        Set<String> names = new TreeSet<>();
        chart.pods().stream()
                .filter(runs -> matches(peer.getPodSelector(), runs.labels()))
                .forEach(runs -> names.add(runs.component()));
        assertThat(names).as("peers that are nobody: %s", peer).isNotEmpty();
        return names;
    }

    private static boolean matches(LabelSelector selector, Map<String, String> labels) {
        assertThat(selector.getMatchExpressions()).isEmpty();
        return selector.getMatchLabels() == null
                || labels.entrySet().containsAll(selector.getMatchLabels().entrySet());
    }
}
