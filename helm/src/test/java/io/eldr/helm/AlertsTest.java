package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.Rule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alerts fire when they should, lead to the runbook and come into the cluster; dashboards ask what Prometheus understands. */
class AlertsTest {
    private static final Path RULES = Chart.FOLDER.resolve("rules").resolve("eldr.yaml");
    private static final Path TESTS = Path.of("src/test/resources/rules/eldr.test.yaml");
    private static final Path RUNBOOK = Path.of("..", "docs", "operations.md");

    @Test
    void rulesAreWellFormed() throws Exception {
        promtool("check", "rules", RULES.toString());
    }

    @Test
    void eachAlertFiresOnWhatItIsForAndNotOnItsOpposite() throws Exception {
        promtool("test", "rules", TESTS.toString());
    }

    @Test
    void noAlertIsWithoutATest() throws IOException {
        String tests = Files.readString(TESTS);
        assertThat(alerts()).hasSize(14).allMatch(alert -> tests.contains(alert), "is named in " + TESTS);
    }

    @Test
    void everyAlertHasItsPartOfTheRunbook() throws IOException {
        Set<String> anchors = new TreeSet<>();
        Pattern.compile("(?m)^#+ (.*)$")
                .matcher(Files.readString(RUNBOOK))
                .results()
                .forEach(heading ->
                        anchors.add(heading.group(1).toLowerCase(Locale.ROOT).replace(" ", "-")));
        for (JsonNode rule : rules()) {
            if (rule.has("alert")) {
                String link = rule.at("/annotations/runbook_url").asText();
                assertThat(link).startsWith("docs/operations.md#");
                assertThat(anchors).contains(link.substring(link.indexOf('#') + 1));
                assertThat(link).endsWith("#" + rule.get("alert").asText().toLowerCase(Locale.ROOT));
            }
        }
    }

    @Test
    void dashboardsAskWhatPrometheusUnderstands(@TempDir Path directory) throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboards\n  rules:\n");
        int number = 0;
        for (Path file : dashboards()) {
            for (JsonNode panel : new ObjectMapper().readTree(file.toFile()).path("panels")) {
                for (JsonNode target : panel.path("targets")) {
                    rules.append("  - record: panel:%d\n    expr: %s\n".formatted(number++, target.get("expr")));
                }
            }
        }
        assertThat(number).isGreaterThan(30);
        promtool(
                "check",
                "rules",
                Files.writeString(directory.resolve("dashboards.yaml"), rules).toString());
    }

    @Test
    void dashboardsAreWhole() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path file : dashboards()) {
            JsonNode dashboard = new ObjectMapper().readTree(file.toFile());
            assertThat(names.add(dashboard.path("uid").asText())).isTrue();
            assertThat(file.getFileName().toString())
                    .isEqualTo(dashboard.path("uid").asText() + ".json");
            Set<Integer> ids = new TreeSet<>();
            for (JsonNode panel : dashboard.path("panels")) {
                assertThat(ids.add(panel.path("id").asInt())).isTrue();
                assertThat(panel.path("title").asText()).isNotBlank();
                JsonNode place = panel.path("gridPos");
                assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(24);
            }
        }
        assertThat(names).containsExactly("eldr-calibration", "eldr-routing");
    }

    @Test
    void theChartBringsRulesDashboardsAndWhereMetricsAre() {
        Chart.requireHelm();
        Rendered chart = Chart.withFile("production");
        List<Rule> rules = chart.all(PrometheusRule.class).getFirst().getSpec().getGroups().stream()
                .flatMap(group -> group.getRules().stream())
                .toList();
        assertThat(rules.stream().map(Rule::getAlert)).contains("EldrDegraded").doesNotContain("EldrDecisionsSlow");
        assertThat(rules).hasSize(14);
        Rule degraded = rules.stream()
                .filter(rule -> "EldrDegraded".equals(rule.getAlert()))
                .findFirst()
                .orElseThrow();
        assertThat(degraded.getLabels()).containsEntry("team", "serving").containsEntry("severity", "warning");
        assertThat(degraded.getAnnotations())
                .containsEntry("runbook_url", "https://wiki.example.com/eldr#eldrdegraded")
                .containsEntry("summary", "Pool {{ $labels.pool }} is degraded.");
        assertThat(chart.all(ConfigMap.class).stream()
                        .filter(map -> "1".equals(map.getMetadata().getLabels().get("grafana_dashboard")))
                        .flatMap(map -> map.getData().keySet().stream()))
                .containsExactlyInAnyOrder("eldr-calibration.json", "eldr-routing.json");
        ServiceMonitor monitor = chart.all(ServiceMonitor.class).getFirst();
        assertThat(monitor.getMetadata().getLabels()).containsEntry("release", "prometheus");
        assertThat(chart.all(io.fabric8.kubernetes.api.model.Service.class).stream()
                        .filter(service -> service.getMetadata()
                                .getLabels()
                                .entrySet()
                                .containsAll(monitor.getSpec()
                                        .getSelector()
                                        .getMatchLabels()
                                        .entrySet()))
                        .map(service -> service.getMetadata().getName()))
                .containsExactlyInAnyOrder("eldr-router-metrics", "eldr-calibration-metrics", "eldr-admin-ui-metrics");
    }

    private static List<JsonNode> rules() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        Rendered.yaml(Files.readString(RULES))
                .path("groups")
                .forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    private static List<String> alerts() throws IOException {
        return rules().stream()
                .filter(rule -> rule.has("alert"))
                .map(rule -> rule.get("alert").asText())
                .toList();
    }

    private static List<Path> dashboards() throws IOException {
        try (Stream<Path> files = Files.list(Chart.FOLDER.resolve("dashboards"))) {
            return files.sorted().toList();
        }
    }

    private static void promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "promtool is not installed (Debian's package prometheus)");
            throw e;
        }
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
