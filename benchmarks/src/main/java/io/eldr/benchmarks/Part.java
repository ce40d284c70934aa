package io.eldr.benchmarks;

import java.util.List;

/** A part of the benchmark: what it measures, under which name it is printed, and in how much memory it must run. */
enum Part {
    FIT("fit"),
    LARGE("large"),
    ASSIGNMENT("assignment"),
    QUICK_ASSIGNMENT("assignment");

    private static final int ASSIGNED = 100_000;
    private static final int QUICK_ASSIGNED = 20_000;
    private static final int CLUSTERS = 64;

    private final String label;

    Part(String label) {
        this.label = label;
    }

    static List<Part> of(boolean quick) {
        return quick ? List.of(FIT, QUICK_ASSIGNMENT) : List.of(FIT, LARGE, ASSIGNMENT);
    }

    String label() {
        return label;
    }

    List<String> jvmOptions() {
        return switch (this) {
            case FIT -> List.of("-Xmx1g", "-XX:+UseParallelGC");
            case LARGE -> List.of("-Xmx4g", "-XX:+UseG1GC");
            case ASSIGNMENT, QUICK_ASSIGNMENT -> List.of("-Xmx4g", "-XX:+UseParallelGC");
        };
    }

    /** Measures in this JVM; the answer becomes JSON. */
    Object measure() {
        return switch (this) {
            case FIT -> FitBenchmark.measure();
            case LARGE -> LargeFitBenchmark.measure();
            case ASSIGNMENT -> AssignmentBenchmark.measure(ASSIGNED, CLUSTERS);
            case QUICK_ASSIGNMENT -> AssignmentBenchmark.measure(QUICK_ASSIGNED, CLUSTERS);
        };
    }
}
