package io.eldr.simulator.cluster;

import java.util.Locale;
import java.util.Optional;

/**
 * Tells a run whose queue only grows from one that is in balance: in the first, what a request finds in the system rises
 * from each quarter of the run to the next, and so does what waits there.
 */
final class Backlog {
    private static final int QUARTERS = 4;
    /** A queue that grows evenly from the beginning is 1.4 times as long in the last quarter as in the third. */
    private static final double GROWTH = 1.25;
    /** Of those that came meanwhile: a rate this much over capacity is noticed. */
    private static final double WORTH_NOTING = 0.02;
    /** Fewer may wait by chance. */
    private static final int FEW = 10;

    private final int requests;
    private final double[] inSystem = new double[QUARTERS];
    private final double[] waiting = new double[QUARTERS];
    private final int[] counts = new int[QUARTERS];

    Backlog(int requests) {
        this.requests = requests;
    }

    void arrived(int request, int system, int waits) {
        int quarter = (int) ((long) request * QUARTERS / requests);
        inSystem[quarter] += system;
        waiting[quarter] += waits;
        counts[quarter]++;
    }

    /** Why there is no balance; empty if there is. */
    Optional<String> growth() {
        double second = mean(inSystem, 1);
        double third = mean(inSystem, 2);
        double last = mean(inSystem, 3);
        boolean grows = last > GROWTH * third && third > GROWTH * second;
        boolean queues = mean(waiting, 3) > Math.max(FEW, WORTH_NOTING * counts[3])
                && mean(waiting, 3) > GROWTH * mean(waiting, 2);
        return queues && (grows || mean(waiting, 2) > GROWTH * mean(waiting, 1))
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "the rate is over capacity: a request found %.0f in the system in the run's third quarter and"
                                + " %.0f in its last, %.0f of them waiting",
                        third,
                        last,
                        mean(waiting, 3)))
                : Optional.empty();
    }

    private double mean(double[] sums, int quarter) {
        return counts[quarter] == 0 ? 0 : sums[quarter] / counts[quarter];
    }
}
