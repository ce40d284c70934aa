package io.eldr.simulator.workload;

import io.eldr.core.signature.InvalidInputException;

/**
 * A mix that becomes another one, evenly from one point of a run to another.
 *
 * @param mix what it becomes
 * @param from the share of the requests after which it begins to, 0 to 1
 * @param to the share after which it is that, from {@code from} to 1
 */
public record MixDrift(Mix mix, double from, double to) {
    public MixDrift {
        if (!(from >= 0 && from <= to && to <= 1)) {
            throw new InvalidInputException("drift", "must lie between 0 and 1 but goes from " + from + " to " + to);
        }
    }
}
