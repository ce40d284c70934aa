package io.eldr.benchmarks.gateway;

import io.eldr.benchmarks.process.BenchFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Simulated workers that take no time, all in one JVM of their own. */
final class Engines implements AutoCloseable {
    private static final int PREFILLERS = 2;
    private static final int DECODERS = 4;

    private final Process process;
    private final List<URI> decode;
    private final List<URI> prefill;

    private Engines(Process process, List<URI> decode, List<URI> prefill) {
        this.process = process;
        this.decode = decode;
        this.prefill = prefill;
    }

    /** @param home the checkout, whose jar is run */
    static Engines start(Path home, Path log) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-jar",
                BenchFiles.jar(home, "engine-sim").toString(),
                "--supervised",
                "--prefill=" + PREFILLERS,
                "--decode=" + DECODERS,
                "--ports=" + String.join(",", Collections.nCopies(PREFILLERS + DECODERS, "0")),
                "--time-scale=0",
                "--max-sequences=4096",
                "--geometry=48x128x8",
                "--signature=eldr_sig",
                "--keep-alive-seconds=60",
                "--model=" + Messages.MODEL);
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        BufferedReader output = process.inputReader();
        String ready = output.readLine();
        if (ready == null) {
            throw new IllegalStateException("the engines did not start; see " + log);
        }
        return new Engines(process, urls(ready, "decode"), urls(ready, "prefill"));
    }

    /** The line is {@code ready 2P4D decode URL,.. prefill URL,..}. */
    private static List<URI> urls(String ready, String role) {
        List<String> words = Arrays.asList(ready.split(" "));
        return Arrays.stream(words.get(words.indexOf(role) + 1).split(","))
                .map(URI::create)
                .toList();
    }

    List<URI> decode() {
        return decode;
    }

    List<URI> prefill() {
        return prefill;
    }

    /** How many requests run on the decoders now. */
    long running() throws IOException {
        return sum("/running");
    }

    /** How many requests of the decoders ended because their client left. */
    long aborted() throws IOException {
        return sum("/ended/abort");
    }

    private long sum(String pointer) throws IOException {
        long sum = 0;
        for (URI worker : decode) {
            try (Exchange connection = Exchange.to(worker.getPort())) {
                connection.exchange(Messages.get("/sim/state"));
                String answer = connection.text();
                JsonNode state = JsonMapper.shared().readTree(answer.substring(answer.indexOf("\r\n\r\n")));
                sum += state.at(pointer).asLong();
            }
        }
        return sum;
    }

    @Override
    public void close() {
        BenchFiles.stop(process);
    }

    /** Says whether nobody wants this thread to end. */
    static boolean pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
