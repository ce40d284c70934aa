package io.eldr.simulator.workload;

import io.eldr.core.trace.ArrivalTrace;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** All requests of a run, drawn beforehand, so that every policy gets the very same ones. */
public final class Workload {
    private static final int[] NO_BLOCKS = {};

    private final ServedRequests served;
    private final double[] seconds;
    private final int[] promptTokens;
    private final int[] outputTokens;
    private final int[] samples;
    /** Whose blocks the prompts have; the requests repeat those of this trace. */
    private final Optional<ArrivalTrace> trace;

    private Workload(ServedRequests served, int requests, Optional<ArrivalTrace> trace) {
        this.served = served;
        this.seconds = new double[requests];
        this.promptTokens = new int[requests];
        this.outputTokens = new int[requests];
        this.samples = new int[requests];
        this.trace = trace;
    }

    /**
     * @param requests how many, at least 1
     * @param drift into which other mix it goes; empty: it stays the same
     */
    public static Workload of(
            ServedRequests served, Arrivals arrivals, Mix mix, Optional<MixDrift> drift, int requests, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomGenerator times = random.split();
        RandomGenerator draws = random.split();
        SampleDraw draw = SampleDraw.of(served, mix, drift);
        Workload workload = switch (arrivals) {
            case Arrivals.Poisson _ -> new Workload(served, requests, Optional.empty());
            case Arrivals.Recorded recorded -> new Workload(served, requests, Optional.of(recorded.trace()));
        };
        for (int i = 0; i < requests; i++) {
            workload.samples[i] = draw.next((double) i / requests, draws);
        }
        switch (arrivals) {
            case Arrivals.Poisson poisson -> workload.fill(poisson, times);
            case Arrivals.Recorded recorded -> workload.fill(recorded);
        }
        return workload;
    }

    private void fill(Arrivals.Poisson poisson, RandomGenerator random) {
        double now = 0;
        for (int i = 0; i < seconds.length; i++) {
            now += random.nextExponential() / poisson.rate();
            seconds[i] = now;
            promptTokens[i] =
                    poisson.promptTokens().orElse(served.sample(samples[i]).signatureTokens());
            outputTokens[i] = poisson.outputTokens();
        }
    }

    private void fill(Arrivals.Recorded recorded) {
        ArrivalTrace from = recorded.trace();
        double scale = from.rate() / recorded.rate();
        for (int i = 0; i < seconds.length; i++) {
            int at = i % from.size();
            int repeat = i / from.size();
            seconds[i] = (repeat * from.periodSeconds() + from.seconds(at)) * scale;
            promptTokens[i] = from.promptTokens(at);
            outputTokens[i] = from.outputTokens(at);
        }
    }

    public ServedRequests served() {
        return served;
    }

    /** How many requests come. */
    public int size() {
        return seconds.length;
    }

    /** When a request comes, in seconds; rising. */
    public double seconds(int request) {
        return seconds[request];
    }

    public int promptTokens(int request) {
        return promptTokens[request];
    }

    public int outputTokens(int request) {
        return outputTokens[request];
    }

    /** The recorded request that it stands for. */
    public int sample(int request) {
        return samples[request];
    }

    /** The names of the prompt's blocks of 512 tokens, not to be changed; empty where nothing is known of prefixes. */
    public int[] blocks(int request) {
        return trace.isEmpty()
                ? NO_BLOCKS
                : trace.get().blocks(request % trace.get().size());
    }

    /** How many times a trace was gone through before this request: its blocks are others each time. */
    public int repeat(int request) {
        return trace.isEmpty() ? 0 : request / trace.get().size();
    }
}
