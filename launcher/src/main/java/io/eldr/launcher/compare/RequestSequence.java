package io.eldr.launcher.compare;

import io.eldr.core.trace.TraceRequest;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Which recorded request is sent when: arrivals at random (Poisson) and requests drawn with replacement, so that the mix of
 * domains is the trace's. The same seed gives the same sequence. Not for several threads.
 */
final class RequestSequence {
    private static final double NANOS = 1e9;

    private final List<TraceRequest> requests;
    private final double rate;
    private final RandomGenerator random;
    private double seconds;

    /**
     * @param requests what is drawn from
     * @param rate arrivals a second, positive
     */
    RequestSequence(List<TraceRequest> requests, double rate, long seed) {
        this.requests = List.copyOf(requests);
        this.rate = rate;
        this.random = new SplittableRandom(seed);
    }

    /**
     * One request.
     *
     * @param at when it is sent, since the beginning of the sequence
     */
    record Arrival(Duration at, TraceRequest request) {}

    Arrival next() {
        seconds += random.nextExponential() / rate;
        return new Arrival(Duration.ofNanos((long) (seconds * NANOS)), requests.get(random.nextInt(requests.size())));
    }
}
