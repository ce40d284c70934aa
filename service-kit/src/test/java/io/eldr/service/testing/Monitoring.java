package io.eldr.service.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The dashboards and alerts of the chart, to be compared with the page of metrics of a running service. */
public final class Monitoring {
    private static final Path CHART = Path.of("..", "helm", "eldr");
    /** Ours, and those of the libraries that dashboards show. */
    private static final Pattern METRIC = Pattern.compile("\\b(?:eldr|hikaricp|http_server|jvm|process)_[a-z_]+");

    private static final Pattern QUOTED = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern GROUPED = Pattern.compile("\\b(?:by|on) \\(([a-z_, ]*)\\)");
    private static final Pattern SELECTED = Pattern.compile("[{,] ?([a-z_]+)=~?\"");
    private static final Pattern LABEL = Pattern.compile("[{,]([a-z_]+)=");

    /** Labels that Prometheus gives. */
    private static final Set<String> OF_PROMETHEUS = Set.of("namespace", "pod", "job");

    /** What is made of metrics by a rule, and no service's own. */
    private static final Set<String> RECORDED = Set.of("eldr_router_decisions_per_second");

    /** The API speaks of milliseconds too. */
    private static final Pattern KNOWN_FLAWS = Pattern.compile("^eldr_\\w+_milliseconds(_max)? .*base unit.*");

    private Monitoring() {}

    /**
     * What dashboards and alerts ask for and the page does not have: metrics, or labels of them.
     *
     * @param prefixes whose metrics are this service's, such as {@code eldr_router_}
     * @param page as the service gives it
     */
    public static List<String> missing(Set<String> prefixes, String page) {
        List<String> lines = page.lines().filter(line -> !line.startsWith("#")).toList();
        Set<String> missing = new TreeSet<>();
        for (String expression : expressions()) {
            Set<String> metrics = found(METRIC, expression)
                    .filter(name -> prefixes.stream().anyMatch(name::startsWith))
                    .filter(name -> !RECORDED.contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            List<String> series = new ArrayList<>();
            for (String metric : metrics) {
                List<String> own = lines.stream()
                        .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
                        .toList();
                if (own.isEmpty()) {
                    missing.add(metric);
                }
                series.addAll(own);
            }
            if (!series.isEmpty()) {
                Set<String> labels =
                        series.stream().flatMap(line -> found(LABEL, line)).collect(Collectors.toSet());
                labelsOf(expression)
                        .filter(label -> !labels.contains(label) && !OF_PROMETHEUS.contains(label))
                        .forEach(label -> missing.add("label " + label + " of " + metrics));
            }
        }
        return List.copyOf(missing);
    }

    private static Stream<String> labelsOf(String expression) {
        return Stream.concat(
                found(GROUPED, expression).flatMap(list -> Stream.of(list.split(", ?"))), found(SELECTED, expression));
    }

    /** Each expression of a dashboard, and each alert or recording as it stands in its file. */
    private static List<String> expressions() {
        List<String> expressions = new ArrayList<>(
                List.of(read(CHART.resolve("rules").resolve("eldr.yaml")).split("- (?:alert|record): ")));
        try (Stream<Path> dashboards = Files.list(CHART.resolve("dashboards"))) {
            dashboards.forEach(file -> found(QUOTED, read(file))
                    .map(text -> text.replace("\\\"", "\""))
                    .forEach(expressions::add));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return expressions;
    }

    /** What {@code promtool check metrics} finds wrong with our metrics on a page; empty where there is no promtool. */
    public static Optional<List<String>> flaws(String page) throws IOException, InterruptedException {
        Process promtool;
        try {
            promtool = new ProcessBuilder("promtool", "check", "metrics")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException notInstalled) {
            return Optional.empty();
        }
        try (OutputStream in = promtool.getOutputStream()) {
            in.write(page.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean unreadable = promtool.waitFor() == 1;
        return Optional.of(said.lines()
                .filter(line -> unreadable || line.startsWith("eldr_"))
                .filter(line -> !KNOWN_FLAWS.matcher(line).matches())
                .toList());
    }

    private static Stream<String> found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.results().map(result -> group(result));
    }

    private static String group(MatchResult result) {
        return result.groupCount() == 0 ? result.group() : result.group(1);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
