package io.eldr.launcher.compare;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.OptionalDouble;

/** What a pool's requests took, over the last while. */
final class Window {
    private record Taken(long at, double millis) {}

    private final long nanos;
    private final Deque<Taken> recent = new ArrayDeque<>();
    private long completed;
    private long failed;
    private int inFlight;

    Window(Duration length) {
        this.nanos = length.toNanos();
    }

    /**
     * A pool's figures.
     *
     * @param completed since the beginning
     * @param failed since the beginning
     * @param p50 milliseconds a token; empty where no request ended in the window
     */
    record Figures(long completed, long failed, int inFlight, OptionalDouble p50, OptionalDouble p99) {}

    synchronized void sent() {
        inFlight++;
    }

    /** @param tpotMillis what a token took */
    synchronized void completed(long now, double tpotMillis) {
        inFlight--;
        completed++;
        recent.addLast(new Taken(now, tpotMillis));
        dropOld(now);
    }

    synchronized void failed() {
        inFlight--;
        failed++;
    }

    synchronized int inFlight() {
        return inFlight;
    }

    synchronized Figures figures(long now) {
        dropOld(now);
        double[] sorted = recent.stream().mapToDouble(Taken::millis).toArray();
        Arrays.sort(sorted);
        return new Figures(completed, failed, inFlight, percentile(sorted, 0.5), percentile(sorted, 0.99));
    }

    private void dropOld(long now) {
        while (!recent.isEmpty() && now - recent.getFirst().at() > nanos) {
            recent.removeFirst();
        }
    }

    /** The nearest rank: the least value that at least so large a share does not exceed. */
    private static OptionalDouble percentile(double[] sorted, double share) {
        return sorted.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)]);
    }
}
