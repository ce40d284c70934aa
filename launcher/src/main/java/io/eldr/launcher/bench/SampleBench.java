package io.eldr.launcher.bench;

import io.eldr.core.trace.RequestSample;
import io.eldr.launcher.client.SampleForm;
import io.eldr.launcher.client.SampleUpload;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/** Sends the same samples in each form in turn, each time to a pool of its own, from one connection. */
final class SampleBench {

    private static final int WARM_UP_ROUNDS = 2;
    private static final int BODY_BYTES = 8 << 20;

    private final BenchStack stack;
    private final Console console;
    private int pools;

    SampleBench(BenchStack stack, Console console) {
        this.stack = stack;
        this.console = console;
    }

    /**
     * What was measured.
     *
     * @param samples sent in a round
     * @param payloadBytes what the counts of a sample take in the registry, on average
     */
    record Figures(
            int samples,
            int layers,
            int experts,
            int rounds,
            Form binary,
            Form ndjson,
            double ratio,
            long payloadBytes) {}

    /**
     * @param samplesPerSecond the median over the rounds, of the time from the first body to the last answer
     * @param bodyBytes of a sample, on average
     */
    record Form(long samplesPerSecond, long bodyBytes) {}

    Figures measure(List<RequestSample> samples, int rounds) {
        List<List<RequestSample>> batches = SampleUpload.batches(samples, BODY_BYTES);
        List<byte[]> binary = batches.stream().map(SampleForm.BINARY::write).toList();
        List<byte[]> lines = batches.stream().map(SampleForm.LINES::write).toList();
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            send(SampleForm.BINARY, binary, samples.size());
            send(SampleForm.LINES, lines, samples.size());
        }
        double[] binarySeconds = new double[rounds];
        double[] lineSeconds = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            binarySeconds[round] = send(SampleForm.BINARY, binary, samples.size());
            lineSeconds[round] = send(SampleForm.LINES, lines, samples.size());
            console.log("round " + (round + 1) + ": binary " + binarySeconds[round] + " s, JSON lines "
                    + lineSeconds[round] + " s");
        }
        double binaryRate = samples.size() / median(binarySeconds);
        double lineRate = samples.size() / median(lineSeconds);
        return new Figures(
                samples.size(),
                MadeUpSamples.GEOMETRY.layers(),
                MadeUpSamples.GEOMETRY.experts(),
                rounds,
                new Form(Math.round(binaryRate), bytes(binary) / samples.size()),
                new Form(Math.round(lineRate), bytes(lines) / samples.size()),
                Math.round(100 * binaryRate / lineRate) / 100.0,
                stack.payloadBytes());
    }

    private double send(SampleForm form, List<byte[]> bodies, int samples) {
        String pool = "bench-" + pools++;
        stack.calibration()
                .post(
                        "/v1/pools",
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("name", pool)
                                .put("model", "made-up")
                                .put("layers", MadeUpSamples.GEOMETRY.layers())
                                .put("experts", MadeUpSamples.GEOMETRY.experts())
                                .put("topK", MadeUpSamples.GEOMETRY.topK()));
        SampleUpload upload = new SampleUpload(stack.calibration(), pool);
        long begin = System.nanoTime();
        long accepted = 0;
        for (byte[] body : bodies) {
            accepted += upload.post(form, body).path("accepted").asLong();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (accepted != samples) {
            throw new CommandFailedException("The service took " + accepted + " of " + samples + " samples");
        }
        return seconds;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
    }

    private static long bytes(List<byte[]> bodies) {
        return bodies.stream().mapToLong(body -> body.length).sum();
    }
}
