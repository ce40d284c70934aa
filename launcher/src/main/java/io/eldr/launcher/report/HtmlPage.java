package io.eldr.launcher.report;

import io.eldr.simulator.report.EvaluationReport;
import io.eldr.simulator.report.Panel;
import io.eldr.simulator.report.Section;
import io.eldr.simulator.report.Table;
import io.eldr.simulator.report.TraceSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;

/** The report as one page that needs nothing else: styles, script, chart library and numbers are in it. */
final class HtmlPage {
    /** Larger tables are in the JSON only. */
    private static final int MAX_ROWS = 120;

    private static final String LOW = "Low";
    private static final String HIGH = "High";
    private static final String CHARTS = "META-INF/resources/webjars/chart.js/";

    private final StringBuilder page = new StringBuilder();

    private HtmlPage() {}

    static String of(EvaluationReport report, String json) throws IOException {
        HtmlPage html = new HtmlPage();
        html.write(report, json);
        return html.page.toString();
    }

    private void write(EvaluationReport report, String json) throws IOException {
        page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<title>ELDR evaluation</title>\n<style>\n")
                .append(resource("io/eldr/launcher/report/report.css"))
                .append("</style>\n</head>\n<body>\n");
        head(report);
        page.append("<main>\n");
        report.sections().forEach(section -> section(section, report.absent()));
        page.append("</main>\n<script type=\"application/json\" id=\"numbers\">")
                // Nothing in a JSON text may end the element.
                .append(json.replace("<", "\\u003c"))
                .append("</script>\n<script>\n")
                .append(resource(CHARTS + chartVersion() + "/dist/chart.umd.min.js"))
                .append("\n</script>\n<script>\n")
                .append(resource("io/eldr/launcher/report/report.js"))
                .append("</script>\n</body>\n</html>\n");
    }

    private void head(EvaluationReport report) {
        page.append("<header>\n<h1>ELDR evaluation</h1>\n<p>")
                .append(report.plan().quick() ? "Quick report. " : "Full report. ")
                .append("Seeds ")
                .append(report.plan().seed())
                .append(" to ")
                .append(report.plan().seed() + report.plan().seeds() - 1)
                .append(", ")
                .append(report.plan().requests())
                .append(" requests a run, answers of ")
                .append(report.plan().outputTokens())
                .append(
                        " tokens. Step times are a model's, scaled to Qwen3-30B-A3B on MI300X, and not measured on a GPU;"
                                + " arrivals are Poisson's: no public trace has arrivals and routing together.</p>\n")
                .append("<table><caption>Trace sets</caption><thead><tr><th>set</th><th>model</th><th>requests</th>")
                .append(
                        "<th>layers x experts, top-k</th><th>signature from</th><th>to be known</th></tr></thead><tbody>");
        for (TraceSet set : report.sets()) {
            page.append("<tr>");
            cell(set.name());
            cell(set.trace().model());
            cell(Integer.toString(set.samples().size()));
            cell(set.trace().geometry().layers() + " x "
                    + set.trace().geometry().experts() + ", "
                    + set.trace().geometry().topK());
            cell(set.source().toString());
            cell(set.caveat());
            page.append("</tr>");
        }
        page.append("</tbody></table>\n");
        if (!report.absent().isEmpty()) {
            page.append("<p class=\"absent\">Absent: ")
                    .append(escape(String.join("; ", report.absent())))
                    .append(".</p>\n");
        }
        page.append("<nav aria-label=\"Figures\"><ul>");
        for (Section section : report.sections()) {
            page.append("<li><a href=\"#")
                    .append(section.id())
                    .append("\">")
                    .append(escape(section.title()))
                    .append("</a></li>");
        }
        page.append("</ul></nav>\n</header>\n");
    }

    private void section(Section section, List<String> absentFromAll) {
        page.append("<section id=\"").append(section.id()).append("\">\n<h2>").append(escape(section.title()));
        page.append("</h2>\n<p>").append(escape(section.method())).append("</p>\n");
        page.append("<p><strong>Authors:</strong> ")
                .append(escape(section.authors()))
                .append(".</p>\n");
        if (!section.differs().isEmpty()) {
            page.append("<p class=\"differs\"><strong>Differs:</strong> ")
                    .append(escape(section.differs()))
                    .append("</p>\n");
        }
        page.append("<div class=\"panels\">\n");
        for (int i = 0; i < section.panels().size(); i++) {
            panel(section, i);
        }
        page.append("</div>\n");
        List<String> absent = section.absent().stream()
                .filter(name -> !absentFromAll.contains(name))
                .toList();
        if (!absent.isEmpty()) {
            page.append("<p class=\"absent\">Absent here too: ")
                    .append(escape(String.join("; ", absent)))
                    .append(".</p>\n");
        }
        page.append("</section>\n");
    }

    private void panel(Section section, int index) {
        Panel panel = section.panels().get(index);
        page.append("<figure>\n<h3>").append(escape(panel.title())).append("</h3>\n");
        page.append("<div class=\"chart\"><canvas data-section=\"")
                .append(section.id())
                .append("\" data-panel=\"")
                .append(index)
                .append("\" role=\"img\" aria-label=\"")
                .append(escape(panel.title() + ". " + panel.reading()))
                .append("\"></canvas></div>\n<figcaption>")
                .append(escape(panel.reading()))
                .append("</figcaption>\n");
        if (panel.table().rows().size() <= MAX_ROWS) {
            page.append("<details><summary>Numbers</summary>\n");
            table(panel.table());
            page.append("</details>\n");
        } else {
            page.append("<p class=\"absent\">The ")
                    .append(panel.table().rows().size())
                    .append(" numbers are in the JSON.</p>\n");
        }
        page.append("</figure>\n");
    }

    private void table(Table table) {
        List<String> keys = table.columns().stream().map(Table.Column::key).toList();
        page.append("<table><thead><tr>");
        for (Table.Column column : table.columns()) {
            if (!isEnd(column.key(), keys)) {
                page.append("<th>").append(escape(column.title())).append("</th>");
            }
        }
        page.append("</tr></thead><tbody>\n");
        for (Table.Row row : table.rows()) {
            page.append("<tr>");
            for (int i = 0; i < keys.size(); i++) {
                String key = keys.get(i);
                if (isEnd(key, keys)) {
                    continue;
                }
                int low = keys.indexOf(key + LOW);
                int high = keys.indexOf(key + HIGH);
                String text = text(row.values().get(i), table.columns().get(i).digits());
                if (low >= 0 && high >= 0 && row.values().get(low) instanceof Table.Value.Figure) {
                    text += " ("
                            + text(row.values().get(low), table.columns().get(i).digits()) + " to "
                            + text(
                                    row.values().get(high),
                                    table.columns().get(i).digits()) + ")";
                }
                cell(text);
            }
            page.append("</tr>\n");
        }
        page.append("</tbody></table>\n");
    }

    /** Ends of an interval stand in the cell of their mean. */
    private static boolean isEnd(String key, List<String> keys) {
        return (key.endsWith(LOW) && keys.contains(key.substring(0, key.length() - LOW.length())))
                || (key.endsWith(HIGH) && keys.contains(key.substring(0, key.length() - HIGH.length())));
    }

    private static String text(Table.Value value, int digits) {
        return switch (value) {
            case Table.Value.Text(String text) -> text;
            case Table.Value.Figure(double number) -> String.format(Locale.ROOT, "%." + digits + "f", number);
            case Table.Value.Unknown() -> "-";
        };
    }

    private void cell(String text) {
        page.append("<td>").append(escape(text)).append("</td>");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The version that the build took, as the library's own jar says. */
    private static String chartVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream stream = open("META-INF/maven/org.webjars.npm/chart.js/pom.properties")) {
            properties.load(stream);
        }
        return properties.getProperty("version", "");
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = open(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    // The map lies in another file.
                    .filter(line -> !line.startsWith("//# sourceMappingURL"))
                    .collect(Collectors.joining("\n", "", "\n"));
        }
    }

    private static InputStream open(String name) throws IOException {
        InputStream stream = HtmlPage.class.getClassLoader().getResourceAsStream(name);
        if (stream == null) {
            throw new IOException("the launcher lacks " + name);
        }
        return stream;
    }
}
