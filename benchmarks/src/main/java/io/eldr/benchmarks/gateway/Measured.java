package io.eldr.benchmarks.gateway;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A way to the engines, and what was seen of it in all rounds. */
final class Measured {
    private final String name;
    private final int hops;
    private final Way way;
    private final Optional<Way> baseline;
    private final Optional<Server> server;
    private final List<long[]> nanos = new ArrayList<>();
    private long requests;
    private long elapsedNanos;
    private long cpuNanos;

    private Measured(String name, int hops, Way way, Optional<Way> baseline, Optional<Server> server) {
        this.name = name;
        this.hops = hops;
        this.way = way;
        this.baseline = baseline;
        this.server = server;
    }

    /** The client alone. */
    Measured(String name, int hops, Way way) {
        this(name, hops, way, Optional.empty(), Optional.empty());
    }

    /** Through a server, against what the client does alone. */
    Measured(Server server, int hops, Way baseline) {
        this(server.name(), hops, new Way.Through(server.port()), Optional.of(baseline), Optional.of(server));
    }

    Way way() {
        return way;
    }

    Optional<Way> baseline() {
        return baseline;
    }

    Optional<Server> server() {
        return server;
    }

    /** What came before was warming up. */
    void forget() {
        nanos.clear();
        requests = 0;
        elapsedNanos = 0;
        cpuNanos = 0;
    }

    void oneAtATime(int count, Messages messages) throws IOException {
        long[] took = new long[count];
        try (Way.Client client = new Way.Client(way, messages)) {
            for (int i = 0; i < count; i++) {
                long start = System.nanoTime();
                client.once();
                took[i] = System.nanoTime() - start;
            }
        }
        nanos.add(took);
    }

    void manyAtATime(int clients, Duration time, Messages messages) throws IOException {
        Duration before = cpuTime();
        try (Crowd crowd = new Crowd(way, messages, clients)) {
            Crowd.Throughput throughput = crowd.run(time.toNanos());
            requests += throughput.requests();
            elapsedNanos += throughput.nanos();
        }
        cpuNanos += cpuTime().minus(before).toNanos();
    }

    private Duration cpuTime() {
        return server.map(one -> one.process().cpuTime()).orElse(Duration.ZERO);
    }

    GatewayFigures.Target figures(Measured against, double abortPropagation) {
        return new GatewayFigures.Target(
                name,
                hops,
                GatewayBenchmark.tenths(requests * 1e9 / elapsedNanos),
                GatewayBenchmark.thousandths(percentile(0.5) - against.percentile(0.5)),
                GatewayBenchmark.thousandths(percentile(0.99) - against.percentile(0.99)),
                GatewayBenchmark.thousandths(GatewayBenchmark.millis(cpuNanos) / requests),
                GatewayBenchmark.tenths(
                        server.map(one -> one.process().rssMiB()).orElse(0.0)),
                abortPropagation);
    }

    /** In milliseconds. */
    private double percentile(double share) {
        long[] sorted = nanos.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return GatewayBenchmark.millis(sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))]);
    }
}
