package io.eldr.launcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.launcher.CommandLineRun;
import io.eldr.launcher.CutTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class ReportCommandTest {
    private static final int REQUESTS = 160;
    private static final List<String> FIGURES = List.of(
            "rho",
            "mask",
            "correlation",
            "union",
            "skew",
            "tau",
            "rates",
            "pool",
            "claim",
            "kmeans",
            "overhead",
            "drift",
            "prefix",
            "constants");

    @TempDir
    private static Path folder = Path.of("");

    private static String html = "";
    private static JsonNode json = JsonMapper.shared().createObjectNode();

    /** A checkout whose trace is the first few requests of the one that ships. */
    @BeforeAll
    static void cutTheTrace() throws IOException {
        Path cut = folder.resolve("data/own/small-moe-28M/serving");
        CutTrace.write(REQUESTS, cut);
        CutTrace.writeGating(cut);
        Path sums = Files.createDirectories(folder.resolve("olmoe-domain-aggregates"));
        Files.writeString(
                sums.resolve("expert_counts.json"),
                "{\"models\":{\"olmoe\":{\"experts\":4,\"domains\":{\"c4\":[[6,2,0,0],[1,1,1,1]]}}}}");
        readTheReport();
    }

    private static CommandLineRun report(String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "report", "--quick", "--html", folder.resolve(name + ".html").toString()));
        String sums = folder.resolve("olmoe-domain-aggregates").toString();
        arguments.addAll(
                more.length > 0 ? List.of(more) : List.of("--seeds", "1", "--requests", "60", "--traces", sums));
        return CommandLineRun.at(folder, arguments.toArray(String[]::new));
    }

    private static void readTheReport() throws IOException {
        CommandLineRun run = report("page");
        assertThat(run.exitCode()).as(run.err()).isZero();
        html = Files.readString(folder.resolve("page.html"));
        json = JsonMapper.shared().readTree(run.out());
    }

    @Test
    void everyFigureIsOnThePageAndInTheJson() {
        List<String> ids = new ArrayList<>();
        json.get("sections").forEach(section -> ids.add(section.get("id").asString()));
        assertThat(ids).containsExactlyElementsOf(FIGURES);
        for (JsonNode section : json.get("sections")) {
            assertThat(html).contains("<section id=\"" + section.get("id").asString() + "\">");
            assertThat(section.get("authors").asString()).isNotBlank();
            assertThat(section.get("panels").size() + section.get("absent").size())
                    .isPositive();
            for (JsonNode panel : section.get("panels")) {
                assertThat(panel.get("reading").asString()).isNotBlank();
                assertThat(panel.get("rows")).as(panel.get("title").asString()).isNotEmpty();
            }
        }
    }

    @Test
    void gatingValuesStandBesideTheCountsWhereATraceHasThem() {
        JsonNode rows = json.get("sections").get(0).get("panels").get(0).get("rows");
        assertThat(rows.valueStream().map(row -> row.get("representation").asString()))
                .containsExactly("count", "count_idf", "binary", "gate_prob", "gate_logit");
        for (String figure : List.of("fitAll", "heldOutAll", "fitMasked", "heldOutMasked")) {
            assertThat(rows.get(3).get(figure)).as(figure).isEqualTo(rows.get(0).get(figure));
        }
    }

    @Test
    void whatHasSumsOnlyIsThereWherePopularityIsShown() {
        JsonNode skew = json.get("sections").get(FIGURES.indexOf("skew")).get("panels");
        assertThat(skew.valueStream().map(panel -> panel.get("title").asString()))
                .containsExactly("own", "olmoe, sums over c4");
        assertThat(skew.get(1)
                        .get("rows")
                        .valueStream()
                        .map(row -> row.get("prefill").asDouble()))
                .containsExactly(2.0, 1.0, 0.5, 0.5);
        assertThat(json.get("sections")
                        .get(FIGURES.indexOf("rates"))
                        .get("absent")
                        .toString())
                .contains("olmoe: has sums over all requests only");
    }

    @Test
    void thePageNeedsNothingElse() {
        assertThat(html)
                .doesNotContain("<script src", "<link", "@import", "sourceMappingURL")
                .contains("Chart.js v");
    }

    @Test
    void everyChartDrawsColumnsThatAreThere() {
        forEachPanel(panel -> {
            List<String> keys = new ArrayList<>();
            panel.get("columns").forEach(column -> keys.add(column.get("key").asString()));
            assertThat(keys).contains(panel.at("/chart/x").asString());
            panel.at("/chart/y").forEach(y -> assertThat(keys).contains(y.asString()));
            if (!panel.at("/chart/by").asString().isEmpty()) {
                assertThat(keys).contains(panel.at("/chart/by").asString());
            }
        });
    }

    @Test
    void theTablesShowTheNumbersOfTheJson() {
        forEachPanel(panel -> {
            if (panel.get("rows").size() > 120) {
                return;
            }
            for (JsonNode row : panel.get("rows")) {
                for (JsonNode column : panel.get("columns")) {
                    String key = column.get("key").asString();
                    JsonNode value = row.get(key);
                    if (value.isNumber()) {
                        assertThat(value.asDouble()).isFinite();
                    }
                    if (value.isNumber() && !key.endsWith("Low") && !key.endsWith("High")) {
                        assertThat(html)
                                .contains("<td>"
                                        + String.format(
                                                Locale.ROOT,
                                                "%." + column.get("digits").asInt() + "f",
                                                value.asDouble()));
                    }
                }
            }
        });
    }

    @Test
    void whatIsNotThereIsSaidToBeAbsent() {
        assertThat(json.get("absent").toString())
                .contains("esft-deepseek-v2-lite", "gpt-oss-20b-decode", "mixtral-8x7b-mmlu-prefill-counts");
        assertThat(html).contains("Absent: esft-deepseek-v2-lite: left out by --quick");
    }

    @Test
    void theSameSeedGivesTheSameNumbers() {
        assertThat(withoutTimes(JsonMapper.shared().readTree(report("again").out())))
                .isEqualTo(withoutTimes(json.deepCopy()));
    }

    /** Without the figures that say they are this machine's times. */
    private static JsonNode withoutTimes(JsonNode report) {
        report.get("sections").forEach(section -> {
            if (!section.get("reproducible").asBoolean()) {
                ((ObjectNode) section).remove("panels");
            }
        });
        return report;
    }

    @Test
    void whatCannotBeIsRefusedByName() {
        assertThat(report("x", "--requests", "1").err()).contains("--requests must be at least 10");
        assertThat(report("x", "--seeds", "0").err()).contains("--seeds must be between 1 and 100");
        CommandLineRun missing = report("x", "--traces", folder.resolve("none").toString());
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("--traces", "none", "is not a directory");
    }

    private static void forEachPanel(Consumer<JsonNode> check) {
        json.get("sections").forEach(section -> section.get("panels").forEach(check));
    }
}
