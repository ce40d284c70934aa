package io.eldr.router.policy;

import io.eldr.core.routing.PolicyName;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;

/** The times per output token of one window: all of them while they are few, then a fair sample of fixed size. */
final class WindowTpot {
    static final int SAMPLE = 512;

    private final PolicyName policy;
    private double[] sample = new double[16];
    private int requests;

    WindowTpot(PolicyName policy) {
        this.policy = policy;
    }

    PolicyName policy() {
        return policy;
    }

    /** @param random draws which earlier value gives way once there are {@link #SAMPLE} */
    void add(double millis, RandomGenerator random) {
        int place = requests < SAMPLE ? requests : random.nextInt(requests + 1);
        requests++;
        if (place < SAMPLE) {
            if (place >= sample.length) {
                sample = Arrays.copyOf(sample, Math.min(SAMPLE, 2 * sample.length));
            }
            sample[place] = millis;
        }
    }

    int requests() {
        return requests;
    }

    OptionalDouble median() {
        return requests == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Medians.median(Arrays.copyOf(sample, Math.min(requests, SAMPLE))));
    }
}
