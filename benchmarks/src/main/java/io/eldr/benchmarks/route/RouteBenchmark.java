package io.eldr.benchmarks.route;

import io.eldr.benchmarks.MadeUpArtifact;
import io.eldr.benchmarks.MadeUpRequests;
import io.eldr.benchmarks.route.BenchBodies.Kind;
import io.eldr.benchmarks.route.BenchBodies.Template;
import io.eldr.core.signature.Geometry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Decisions over HTTP on loopback: 512 requests that use every expert of all 48 layers of 128, in turn, among 16 decoders,
 * each with an id of its own and a reservation; beside them the same bodies to an endpoint that only reads them. All four
 * take turns in rounds, so that what else the machine does falls on all. Reservations are closed between the timed parts.
 */
public final class RouteBenchmark {
    private static final Geometry GEOMETRY = new Geometry(48, 128, 8);
    private static final int TOPICS = 20;
    private static final int DECODERS = 16;
    private static final long SEED = 1;
    private static final int WARM_UP_ROUNDS = 6;
    private static final int ROUNDS = 6;
    private static final int SINGLE = 1_000;
    private static final Duration MANY = Duration.ofMillis(750);

    private final BenchRouter router;
    private final Load load;
    private final Map<Kind, Measured> measured = new EnumMap<>(Kind.class);

    private RouteBenchmark(BenchRouter router, Load load) {
        this.router = router;
        this.load = load;
    }

    /** What was seen of a kind in all rounds. */
    private static final class Measured {
        private final List<long[]> nanos = new ArrayList<>();
        private long requests;
        private long elapsedNanos;
        private long cpuNanos;
    }

    public static RouteFigures measure() {
        MadeUpRequests source = new MadeUpRequests(GEOMETRY, TOPICS, SEED);
        Map<Kind, List<Template>> templates = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            templates.put(kind, BenchBodies.of(kind, source, BenchRouter.POOL, BenchRouter.TOKEN));
        }
        Path home = Path.of(System.getProperty("eldr.home", "."));
        try (BenchRouter router = BenchRouter.start(home, MadeUpArtifact.of(source, GEOMETRY, DECODERS));
                Load load = new Load(router.port(), templates)) {
            return new RouteBenchmark(router, load).rounds();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private RouteFigures rounds() throws IOException, InterruptedException {
        for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
            if (round == WARM_UP_ROUNDS) {
                measured.clear();
            }
            for (Kind kind : Kind.values()) {
                measure(kind, measured.computeIfAbsent(kind, _ -> new Measured()));
            }
        }
        return new RouteFigures(
                figures(Kind.RAW),
                figures(Kind.JSON),
                new RouteFigures.Empty(figures(Kind.EMPTY_RAW), figures(Kind.EMPTY_JSON)),
                rounded(router.figures().rssMiB(), 10));
    }

    private void measure(Kind kind, Measured into) throws IOException {
        into.nanos.add(load.oneAtATime(kind, SINGLE));
        load.closeReserved(BenchRouter.TOKEN);
        Duration before = router.figures().cpuTime();
        Load.Throughput throughput = load.manyAtATime(kind, MANY.toNanos());
        into.cpuNanos += router.figures().cpuTime().minus(before).toNanos();
        into.requests += throughput.requests();
        into.elapsedNanos += throughput.nanos();
        load.closeReserved(BenchRouter.TOKEN);
    }

    private RouteFigures.Figures figures(Kind kind) {
        Measured seen = measured.getOrDefault(kind, new Measured());
        long[] nanos =
                seen.nanos.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new RouteFigures.Figures(
                rounded(nanos[nanos.length / 2] / 1e6, 10_000),
                rounded(nanos[nanos.length / 100 * 99] / 1e6, 10_000),
                rounded(seen.requests * 1e9 / seen.elapsedNanos, 10),
                rounded(seen.cpuNanos / 1e6 / seen.requests, 10_000));
    }

    private static double rounded(double value, int parts) {
        return (double) Math.round(value * parts) / parts;
    }
}
