package io.eldr.benchmarks.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Completions of 2 KiB of prompt and 16 tokens through the gateway, over loopback, against a client that calls the prefill and
 * the decode worker itself; beside them plain proxies before one decode worker, against a client that calls it itself. The
 * workers take no time and tell 12 KiB of expert counts. All ways take turns in rounds, so that what else the machine does
 * falls on all of them.
 */
public final class GatewayBenchmark {
    private static final int WARM_UP_ROUNDS = 4;
    private static final int ROUNDS = 6;
    private static final int SINGLE = 200;
    private static final int CROWD = 32;
    private static final Duration MANY = Duration.ofMillis(700);
    /** Long enough for the compiler, so that what is measured is a gateway that has served for a minute, not its start. */
    private static final Duration MANY_WARMING_UP = Duration.ofSeconds(5);

    private static final int ABORTS = 100;
    private static final Duration ABORT_PATIENCE = Duration.ofSeconds(5);
    private static final int STREAMS = 2_000;
    /** A heap grows up to its bound before it is collected as a whole: only then is memory seen to stay where it is. */
    private static final int WARM_UP_STREAMS = 3;

    private static final int STREAM_TOKENS = 20;
    private static final int STREAM_MILLIS = 10_000;
    private static final double MILLI = 1e6;

    private final Messages messages = new Messages();
    private final Engines engines;
    private final EldrGateway eldr;
    private final List<Measured> measured = new ArrayList<>();

    private GatewayBenchmark(Engines engines, EldrGateway eldr, List<Server> others) {
        this.engines = engines;
        this.eldr = eldr;
        int decode = engines.decode().getFirst().getPort();
        Way direct = new Way.Both(engines.prefill().getFirst().getPort(), decode);
        Way plain = new Way.Through(decode);
        measured.add(new Measured("direct", 0, direct));
        measured.add(new Measured(eldr, 2, direct));
        if (!others.isEmpty()) {
            measured.add(new Measured("direct to decode", 0, plain));
        }
        others.forEach(server -> measured.add(new Measured(server, 1, plain)));
    }

    /** Starts everything, measures, and stops everything. */
    public static GatewayFigures measure() {
        Path home = Path.of(System.getProperty("eldr.home", "."));
        try {
            Path folder = Files.createTempDirectory("eldr-bench-");
            List<Server> others = new ArrayList<>();
            try (Engines engines = Engines.start(home, folder.resolve("engines.log"));
                    EldrGateway eldr = EldrGateway.start(home, folder, engines)) {
                PlainProxy.haproxy(folder, engines.decode().getFirst()).ifPresent(others::add);
                PlainProxy.nginx(folder, engines.decode().getFirst()).ifPresent(others::add);
                return new GatewayBenchmark(engines, eldr, others).run();
            } finally {
                others.forEach(Server::close);
                delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private GatewayFigures run() throws IOException {
        for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
            System.err.println("eldr: round " + (round + 1) + " of " + (WARM_UP_ROUNDS + ROUNDS));
            for (Measured one : measured) {
                if (round == WARM_UP_ROUNDS) {
                    one.forget();
                }
                one.oneAtATime(SINGLE, messages);
                one.manyAtATime(CROWD, round < WARM_UP_ROUNDS ? MANY_WARMING_UP : MANY, messages);
            }
        }
        Map<Way, Measured> ways = new LinkedHashMap<>();
        measured.forEach(one -> ways.put(one.way(), one));
        List<GatewayFigures.Target> targets = new ArrayList<>();
        for (Measured one : measured) {
            Measured baseline = one.baseline().map(ways::get).orElse(one);
            targets.add(one.figures(baseline, one.server().isPresent() ? abortPropagation(one.way()) : 1));
        }
        return new GatewayFigures(targets, streams());
    }

    /** Half of the clients leave before the first token, half in the midst of the answer. */
    private double abortPropagation(Way way) throws IOException {
        System.err.println("eldr: clients leave");
        long seen = 0;
        for (byte[] message : List.of(Messages.held(2, 60_000), Messages.held(2_000, 20_000))) {
            long before = engines.aborted();
            try (Streams streams = new Streams(way.port(0), ABORTS, message)) {
                if (!streams.awaitRunning(engines)) {
                    throw new IllegalStateException("the engines did not get " + ABORTS + " requests");
                }
            }
            long deadline = System.nanoTime() + ABORT_PATIENCE.toNanos();
            while (engines.aborted() - before < ABORTS && System.nanoTime() < deadline) {
                Engines.pause(20);
            }
            seen += Math.min(ABORTS, engines.aborted() - before);
            awaitIdle();
        }
        return seen / (2.0 * ABORTS);
    }

    /** What was not passed on runs to its end, so that the next part begins with nothing under way. */
    private void awaitIdle() throws IOException {
        while (engines.running() > 0) {
            for (URI worker : engines.decode()) {
                try (Exchange connection = Exchange.to(worker.getPort())) {
                    connection.exchange(Exchange.ascii(
                            "POST /sim/finish HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"));
                }
            }
            Engines.pause(20);
        }
    }

    private GatewayFigures.Streams streams() throws IOException {
        System.err.println("eldr: " + STREAMS + " answers at a time");
        for (int i = 0; i < WARM_UP_STREAMS; i++) {
            round();
        }
        double warm = eldr.process().rssMiB();
        int completed = round();
        return new GatewayFigures.Streams(
                STREAMS, completed, tenths(warm), tenths(eldr.process().rssMiB()));
    }

    private int round() throws IOException {
        try (Streams streams = new Streams(eldr.port(), STREAMS, Messages.held(STREAM_TOKENS, STREAM_MILLIS))) {
            return streams.complete();
        }
    }

    static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }

    static double thousandths(double value) {
        return Math.round(value * 1e3) / 1e3;
    }

    static double millis(long nanos) {
        return nanos / MILLI;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
