package io.eldr.helm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The tables of the chart's README are made of values.yaml and its comments. {@code -Deldr.readme.write=true} writes them
 * anew.
 */
class ReadmeTest {
    private static final Path README = Chart.FOLDER.resolve("README.md");
    private static final Pattern KEY = Pattern.compile("^( *)([A-Za-z0-9.\"/_-]+):(?: (.*))?$");
    private static final String BEGIN = "<!-- made of values.yaml by ReadmeTest: -Deldr.readme.write=true -->\n";
    private static final String END = "<!-- end -->\n";

    /**
     * @param comment what stands above the key; it also tells of the keys below that have none
     * @param value as it stands behind the key, or below it for a list; empty for what holds other keys
     */
    record Value(String key, String comment, String value) {}

    @Test
    void readmeShowsTheValuesAsTheyAre() throws IOException {
        String readme = Files.readString(README);
        String wanted = readme.substring(0, readme.indexOf(BEGIN) + BEGIN.length())
                + tables()
                + readme.substring(readme.indexOf(END));
        if (Boolean.getBoolean("eldr.readme.write")) {
            Files.writeString(README, wanted);
        }
        assertThat(Files.readString(README)).isEqualTo(wanted);
    }

    @Test
    void everySectionOfValuesIsInTheReadme() throws IOException {
        List<String> keys = read(Files.readAllLines(Chart.FOLDER.resolve("values.yaml"))).stream()
                .map(Value::key)
                .toList();
        List<String> sections = new ArrayList<>();
        Rendered.yaml(Files.readString(Chart.FOLDER.resolve("values.yaml")))
                .fieldNames()
                .forEachRemaining(sections::add);
        assertThat(sections)
                .allMatch(
                        section -> keys.stream().anyMatch(key -> key.equals(section) || key.startsWith(section + ".")));
    }

    @Test
    void operationsShowTheProductionValuesThatAreTested() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "operations.md")))
                .contains("```yaml\n" + Chart.values("production").strip() + "\n```\n");
    }

    private static String tables() throws IOException {
        List<Value> values = read(Files.readAllLines(Chart.FOLDER.resolve("values.yaml")));
        Map<String, List<Value>> sections = values.stream()
                .collect(Collectors.groupingBy(
                        value -> value.key().contains(".")
                                ? value.key().substring(0, value.key().indexOf('.'))
                                : "",
                        LinkedHashMap::new,
                        Collectors.toList()));
        StringBuilder text = new StringBuilder();
        sections.forEach((section, rows) -> {
            text.append('\n').append(section.isEmpty() ? "### At the top\n" : "### " + section + "\n");
            text.append("\n| value | default | meaning |\n|---|---|---|\n");
            rows.forEach(row -> text.append("| `%s` | `%s` | %s |\n"
                    .formatted(
                            row.key(),
                            row.value().replace("|", "\\|"),
                            row.comment().replace("|", "\\|"))));
        });
        return text.append('\n').toString();
    }

    /** The leaves of values.yaml in their order. */
    private static List<Value> read(List<String> lines) {
        List<Value> values = new ArrayList<>();
        Deque<String> path = new ArrayDeque<>();
        Map<Integer, String> comments = new LinkedHashMap<>();
        StringBuilder comment = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher key = KEY.matcher(line);
            if (line.strip().startsWith("#")) {
                comment.append(comment.isEmpty() ? "" : " ")
                        .append(line.strip().substring(1).strip());
            } else if (line.isBlank()) {
                comment.setLength(0);
            } else if (key.matches()) {
                int depth = key.group(1).length() / 2;
                while (path.size() > depth) {
                    path.removeLast();
                }
                path.addLast(key.group(2));
                comments.put(depth, comment.toString());
                comment.setLength(0);
                String own = key.group(3) == null ? "" : key.group(3);
                List<String> below = own.isEmpty() ? below(lines, i, depth) : List.of();
                boolean isLeaf = !own.isEmpty() || isListOrFree(below);
                if (isLeaf) {
                    values.add(new Value(
                            String.join(".", path),
                            comments.getOrDefault(depth, ""),
                            own.isEmpty() ? flow(below) : own));
                    i += below.size();
                }
            }
        }
        return values;
    }

    private static List<String> below(List<String> lines, int at, int depth) {
        return lines.subList(at + 1, lines.size()).stream()
                .takeWhile(line -> !line.isBlank() && line.indexOf(line.strip()) > 2 * depth)
                .toList();
    }

    /** A list, or an object whose keys are not the chart's. */
    private static boolean isListOrFree(List<String> below) {
        String first = below.isEmpty() ? "" : below.getFirst().strip();
        return first.startsWith("- ") || first.matches("[a-z_.-]+[./_][a-z./_-]+:.*") || first.startsWith("emptyDir");
    }

    private static String flow(List<String> below) {
        return Rendered.yaml(String.join("\n", below)).toString();
    }
}
