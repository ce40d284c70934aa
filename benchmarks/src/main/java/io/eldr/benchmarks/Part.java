package io.eldr.benchmarks;

import io.eldr.benchmarks.gateway.GatewayBenchmark;
import io.eldr.benchmarks.route.RouteBenchmark;
import java.nio.file.Path;
import java.util.List;

/** A part of the benchmark: what it measures, under which name it is printed, and in how much memory it must run. */
enum Part {
    FIT("fit"),
    LARGE("large"),
    ASSIGNMENT("assignment"),
    QUICK_ASSIGNMENT("assignment"),
    DECISION("decision"),
    ROUTE("route"),
    KERNELS("kernels"),
    SIMULATION("simulation"),
    UNION("union"),
    GATEWAY("gateway");

    /** What {@code calibrate} measures. */
    static final List<Part> CALIBRATE = List.of(FIT, LARGE, ASSIGNMENT);
    /** What it measures where there is little time. */
    static final List<Part> CALIBRATE_QUICKLY = List.of(FIT, QUICK_ASSIGNMENT);

    private static final int ASSIGNED = 100_000;
    private static final int QUICK_ASSIGNED = 20_000;
    private static final int CLUSTERS = 64;

    private final String label;

    Part(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    List<String> jvmOptions() {
        return switch (this) {
            case FIT -> List.of("-Xmx1g", "-XX:+UseParallelGC");
            case LARGE -> List.of("-Xmx4g", "-XX:+UseG1GC");
            case ASSIGNMENT, QUICK_ASSIGNMENT -> List.of("-Xmx4g", "-XX:+UseParallelGC");
            case DECISION -> List.of("-Xmx512m", "-XX:+UseG1GC");
            case ROUTE -> List.of("-Xmx256m", "-XX:+UseSerialGC");
            case UNION -> List.of("-Xmx512m", "-XX:+UseG1GC");
            case KERNELS -> List.of("-Xmx512m", "-XX:+UseParallelGC");
            case SIMULATION -> List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1");
            case GATEWAY -> List.of("-Xmx256m", "-XX:+UseSerialGC");
        };
    }

    /**
     * Measures in this JVM; the answer becomes JSON.
     *
     * @param argument what a part wants to know, empty where it wants nothing
     */
    Object measure(String argument) {
        return switch (this) {
            case FIT -> FitBenchmark.measure();
            case LARGE -> LargeFitBenchmark.measure();
            case ASSIGNMENT -> AssignmentBenchmark.measure(ASSIGNED, CLUSTERS);
            case DECISION -> DecisionBenchmark.measure();
            case ROUTE -> RouteBenchmark.measure();
            case UNION -> UnionBenchmark.measure();
            case KERNELS -> KernelBenchmark.measure();
            case SIMULATION -> SimulationBenchmark.measure(Path.of(argument));
            case GATEWAY -> GatewayBenchmark.measure();
            case QUICK_ASSIGNMENT -> AssignmentBenchmark.measure(QUICK_ASSIGNED, CLUSTERS);
        };
    }
}
