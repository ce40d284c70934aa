package io.eldr.launcher.compare;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A pool that takes part, and what was seen of it. */
final class Target {
    private static final double TENTHS_OF_MICROS = 1e4;

    private final String pool;
    private final Duration length;
    private final Window window;
    private final EngineSteps steps;

    /**
     * @param layers of its model
     * @param length over how long figures are
     */
    Target(String pool, int layers, Duration length) {
        this.pool = pool;
        this.length = length;
        this.window = new Window(length);
        this.steps = new EngineSteps(length, layers);
    }

    String pool() {
        return pool;
    }

    Window window() {
        return window;
    }

    /** For one thread. */
    EngineSteps steps() {
        return steps;
    }

    /** The figures in the form in which routers take reports; what is not known is absent. */
    ObjectNode report(long now) {
        Window.Figures figures = window.figures(now);
        ObjectNode report = JsonNodeFactory.instance
                .objectNode()
                .put("windowSeconds", length.toSeconds())
                .put("completed", figures.completed())
                .put("failed", figures.failed())
                .put("inFlight", figures.inFlight());
        figures.p50().ifPresent(millis -> report.put("tpotP50Ms", rounded(millis)));
        figures.p99().ifPresent(millis -> report.put("tpotP99Ms", rounded(millis)));
        Optional<EngineSteps.Means> means = steps.means();
        means.ifPresent(mean -> report.put("activeExperts", rounded(mean.experts())));
        means.ifPresent(mean -> report.put("batch", rounded(mean.batch())));
        return report;
    }

    private static double rounded(double figure) {
        return Math.round(figure * TENTHS_OF_MICROS) / TENTHS_OF_MICROS;
    }
}
