package io.eldr.calibration.refit;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.core.signature.Geometry;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** How many samples a refit may hold in memory: a third of the heap is theirs, whatever the setting allows. */
@Component
public class SampleBudget {
    /** Prompt and decode counts, 4 bytes each. */
    private static final long BYTES_PER_CELL = 2L * Integer.BYTES;

    private static final int SHARE_OF_HEAP = 3;
    private static final long MEGABYTE = 1L << 20;

    private final int maxSamples;
    private final int threads;
    private final long maxMemory;

    @Autowired
    SampleBudget(CalibrationProperties properties) {
        this(
                properties.refit().maxSamples(),
                properties.refit().threads(),
                Runtime.getRuntime().maxMemory());
    }

    /**
     * @param maxSamples the most that the setting allows
     * @param threads how many refits may run at once
     * @param maxMemory of the heap, in bytes
     */
    SampleBudget(int maxSamples, int threads, long maxMemory) {
        this.maxSamples = maxSamples;
        this.threads = threads;
        this.maxMemory = maxMemory;
    }

    /** The most that the setting allows. */
    int wanted() {
        return maxSamples;
    }

    /** How many samples of a model one refit reads, at least 1. */
    public int samples(Geometry geometry) {
        long fitting = maxMemory / SHARE_OF_HEAP / threads / (geometry.cells() * BYTES_PER_CELL);
        return (int) Math.max(1, Math.min(maxSamples, fitting));
    }

    /** What the operator reads where memory and not the setting decides. */
    String warning(int used, int available) {
        return "used the newest " + used + " of " + available + " samples: a heap of " + maxMemory / MEGABYTE
                + " MB holds no more; give the service more heap (-Xmx) to use more";
    }
}
