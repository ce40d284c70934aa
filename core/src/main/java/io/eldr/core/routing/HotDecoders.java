package io.eldr.core.routing;

import java.util.Arrays;
import java.util.Optional;

/** Which decoders are hot at the moment of a decision, each load read once. */
final class HotDecoders {
    private static final boolean[] NONE = {};

    /** By position; empty where there are none. */
    private final boolean[] hot;

    private HotDecoders(boolean[] hot) {
        this.hot = hot;
    }

    /** The mean is that of the decoders that can take the request. */
    static HotDecoders of(Contest contest, Optional<HotRule> rule) {
        if (rule.isEmpty()) {
            return new HotDecoders(NONE);
        }
        double[] loads = new double[contest.size()];
        double sum = 0;
        int available = 0;
        for (int i = 0; i < loads.length; i++) {
            if (contest.isAvailable(i)) {
                loads[i] = contest.load(i) / contest.weight(i);
                sum += loads[i];
                available++;
            }
        }
        double mean = sum / available;
        boolean[] hot = new boolean[loads.length];
        boolean any = false;
        for (int i = 0; i < loads.length; i++) {
            hot[i] = contest.isAvailable(i) && rule.get().isHot(loads[i], mean, contest.kvUse(i));
            any |= hot[i];
        }
        return new HotDecoders(any ? hot : NONE);
    }

    /** The decoders that are not hot, in the same order. */
    int[] removedFrom(int[] decoders) {
        if (hot.length == 0) {
            return decoders;
        }
        int[] cool = new int[decoders.length];
        int size = 0;
        for (int decoder : decoders) {
            if (!hot[decoder]) {
                cool[size++] = decoder;
            }
        }
        return Arrays.copyOf(cool, size);
    }
}
