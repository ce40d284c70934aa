package io.eldr.simulator.workload;

import io.eldr.core.signature.InvalidInputException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Draws the recorded request that an arrival stands for: a label by the mix, then any of the label's requests. */
final class SampleDraw {
    private final ServedRequests served;
    private final double[] before;
    private final double[] after;
    private final double from;
    private final double to;

    private SampleDraw(ServedRequests served, double[] before, double[] after, double from, double to) {
        this.served = served;
        this.before = before;
        this.after = after;
        this.from = from;
        this.to = to;
    }

    static SampleDraw of(ServedRequests served, Mix mix, Optional<MixDrift> drift) {
        double[] before = cumulated(served, mix);
        return drift.isEmpty()
                ? new SampleDraw(served, before, before, 0, 1)
                : new SampleDraw(
                        served,
                        before,
                        cumulated(served, drift.get().mix()),
                        drift.get().from(),
                        drift.get().to());
    }

    private static double[] cumulated(ServedRequests served, Mix mix) {
        int labels = served.labels().size();
        if (!(mix instanceof Mix.Recorded) && labels < 2) {
            throw new InvalidInputException(
                    Mix.FIELD, mix + " mixes labels, but the requests to serve have only one: " + served.labels());
        }
        int[] recorded = new int[labels];
        for (int i = 0; i < labels; i++) {
            recorded[i] = served.ofLabel(i).length;
        }
        double[] sums = mix.weights(recorded);
        for (int i = 1; i < labels; i++) {
            sums[i] += sums[i - 1];
        }
        return sums;
    }

    /** @param progress how much of the run is over, 0 to 1 */
    int next(double progress, RandomGenerator random) {
        double moved = Math.clamp((progress - from) / Math.max(to - from, Double.MIN_NORMAL), 0.0, 1.0);
        double[] sums = random.nextDouble() < moved ? after : before;
        double point = random.nextDouble() * sums[sums.length - 1];
        int label = 0;
        while (label < sums.length - 1 && sums[label] <= point) {
            label++;
        }
        int[] members = served.ofLabel(label);
        return members[random.nextInt(members.length)];
    }
}
