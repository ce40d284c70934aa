package io.eldr.router.observation;

import io.eldr.core.artifact.HeldOutStatistics;
import io.eldr.core.drift.ObservationWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One window in the making. Threads count in stripes of their own, so that a decision neither waits nor allocates. A window
 * is closed once; who counts then is told to count elsewhere, and what was being counted is waited for, so that no request
 * is lost or half counted.
 */
final class WindowCounters {
    private static final int REQUESTS = 0;
    private static final int WITHOUT_SIGNATURE = 1;
    private static final int SPILLED = 2;
    private static final int SINGLETON_BANDS = 3;
    private static final int SIMILARITY_SUM = 4;
    private static final int NEAREST = 5;

    /** Similarities are added up as whole numbers of this size, so that each addition is one atomic step. */
    private static final double SIMILARITY_UNIT = 0x1p-32;

    private final int clusters;
    private final int bins;
    private final AtomicLongArray[] stripes;
    private volatile boolean closed;

    /** @param stripes a power of two */
    WindowCounters(int clusters, int bins, int stripes) {
        this.clusters = clusters;
        this.bins = bins;
        this.stripes = new AtomicLongArray[stripes];
        for (int i = 0; i < stripes; i++) {
            this.stripes[i] = new AtomicLongArray(NEAREST + clusters + bins);
        }
    }

    /** Counts a request without a usable signature; false if the window is closed. */
    boolean countWithoutSignature() {
        AtomicLongArray stripe = enter();
        if (closed) {
            stripe.getAndDecrement(REQUESTS);
            return false;
        }
        stripe.getAndIncrement(WITHOUT_SIGNATURE);
        return true;
    }

    /** Counts a request; false if the window is closed. */
    boolean count(int nearest, double similarity, boolean spilled, boolean singletonBand) {
        AtomicLongArray stripe = enter();
        if (closed) {
            stripe.getAndDecrement(REQUESTS);
            return false;
        }
        stripe.getAndAdd(SIMILARITY_SUM, Math.round(similarity / SIMILARITY_UNIT));
        stripe.getAndIncrement(NEAREST + nearest);
        if (spilled) {
            stripe.getAndIncrement(SPILLED);
        }
        if (singletonBand) {
            stripe.getAndIncrement(SINGLETON_BANDS);
        }
        // Last: once as many are in bins as have entered, everybody is done.
        stripe.getAndIncrement(NEAREST + clusters + HeldOutStatistics.similarityBin(similarity, bins));
        return true;
    }

    private AtomicLongArray enter() {
        AtomicLongArray stripe = stripes[(int) Thread.currentThread().threadId() & (stripes.length - 1)];
        stripe.getAndIncrement(REQUESTS);
        return stripe;
    }

    /** Closes the window and waits, for less than a decision takes, until whoever is counting has done so. */
    ObservationWindow close() throws InterruptedException {
        closed = true;
        for (AtomicLongArray stripe : stripes) {
            while (stripe.get(REQUESTS) != finished(stripe)) {
                Thread.sleep(1);
            }
        }
        long withoutSignature = sum(WITHOUT_SIGNATURE);
        List<Long> similarities = sums(NEAREST + clusters, bins);
        return new ObservationWindow(
                // Not from REQUESTS, where one who is just being turned away may still stand.
                withoutSignature
                        + similarities.stream().mapToLong(Long::longValue).sum(),
                withoutSignature,
                sums(NEAREST, clusters),
                similarities,
                sum(SIMILARITY_SUM) * SIMILARITY_UNIT,
                sum(SPILLED),
                sum(SINGLETON_BANDS));
    }

    private long finished(AtomicLongArray stripe) {
        long finished = stripe.get(WITHOUT_SIGNATURE);
        for (int bin = 0; bin < bins; bin++) {
            finished += stripe.get(NEAREST + clusters + bin);
        }
        return finished;
    }

    private long sum(int cell) {
        long sum = 0;
        for (AtomicLongArray stripe : stripes) {
            sum += stripe.get(cell);
        }
        return sum;
    }

    private List<Long> sums(int first, int count) {
        List<Long> sums = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            sums.add(sum(first + i));
        }
        return sums;
    }
}
