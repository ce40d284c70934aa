package io.eldr.launcher.compare;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** What decoders' steps were like over the last while, from totals that only grow while they live. */
final class EngineSteps {
    private record Seen(long at, Totals totals) {}

    private final long nanos;
    private final int layers;
    private final Deque<Seen> seen = new ArrayDeque<>();

    /** @param layers L, to tell the experts of a layer */
    EngineSteps(Duration length, int layers) {
        this.nanos = length.toNanos();
        this.layers = layers;
    }

    /**
     * Sums over all decoders of a pool since they started.
     *
     * @param steps how many
     * @param requests in each of them
     * @param experts distinct ones in each of them, summed over layers
     */
    record Totals(long steps, long requests, long experts) {
        static final Totals NONE = new Totals(0, 0, 0);

        Totals plus(Totals other) {
            return new Totals(steps + other.steps, requests + other.requests, experts + other.experts);
        }
    }

    /**
     * Means over the steps of the window.
     *
     * @param batch requests in a step
     * @param experts distinct ones in a step and layer
     */
    record Means(double batch, double experts) {}

    /** Newer totals; smaller ones are those of decoders that started anew. */
    void add(long now, Totals totals) {
        if (!seen.isEmpty() && totals.steps() < seen.getLast().totals().steps()) {
            seen.clear();
        }
        seen.addLast(new Seen(now, totals));
        while (seen.size() > 2 && now - seen.getFirst().at() > nanos) {
            seen.removeFirst();
        }
    }

    /** Empty before there were steps. */
    Optional<Means> means() {
        if (seen.size() < 2) {
            return Optional.empty();
        }
        Totals first = seen.getFirst().totals();
        Totals last = seen.getLast().totals();
        double steps = last.steps() - first.steps();
        return steps == 0
                ? Optional.empty()
                : Optional.of(new Means(
                        (last.requests() - first.requests()) / steps,
                        (last.experts() - first.experts()) / steps / layers));
    }
}
