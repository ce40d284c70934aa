package io.eldr.core.routing;

import io.eldr.core.signature.InvalidInputException;
import java.time.Duration;
import java.time.Instant;

/**
 * Two policies that take turns by the clock: windows of so many minutes are counted from the beginning of 1970 in UTC, even
 * ones belong to the first policy, odd ones to the second. So every router with a right clock is in the same window, and
 * no router asks another.
 *
 * @param minutes the length of a window, 1 to 1,440
 */
public record SwitchbackRule(PolicyName first, PolicyName second, int minutes) {
    private static final int MAX_MINUTES = 1_440;
    private static final Duration LONGEST_WASHOUT = Duration.ofMinutes(1);
    /** Of a window. */
    private static final int WASHOUT_PART = 5;

    /** @throws InvalidInputException naming {@code switchback.policies} or {@code switchback.minutes} */
    public SwitchbackRule {
        if (first == second) {
            throw new InvalidInputException(
                    "switchback.policies", "must be two different ones but are both " + first.id());
        }
        if (minutes < 1 || minutes > MAX_MINUTES) {
            throw new InvalidInputException(
                    "switchback.minutes", "must be between 1 and " + MAX_MINUTES + " but is " + minutes);
        }
    }

    /**
     * A turn of one policy.
     *
     * @param index counted from the beginning of 1970
     * @param start the first moment in it
     * @param settled from when on what is measured belongs to this policy: at its start, decoders still run what the other
     *     policy sent them
     * @param end the first moment after it
     */
    public record Window(long index, PolicyName policy, Instant start, Instant settled, Instant end) {
        public boolean contains(Instant time) {
            return !time.isBefore(start) && time.isBefore(end);
        }

        /** Whether a request that ran from one moment to the other counts for the window's policy. */
        public boolean holds(Instant from, Instant to) {
            return !from.isBefore(settled) && to.isBefore(end);
        }
    }

    /** A fifth of a window, at most a minute. */
    public Duration washout() {
        Duration part = Duration.ofMinutes(minutes).dividedBy(WASHOUT_PART);
        return part.compareTo(LONGEST_WASHOUT) < 0 ? part : LONGEST_WASHOUT;
    }

    public Window windowAt(Instant time) {
        long seconds = Duration.ofMinutes(minutes).toSeconds();
        long index = Math.floorDiv(time.getEpochSecond(), seconds);
        Instant start = Instant.ofEpochSecond(index * seconds);
        return new Window(
                index,
                Math.floorMod(index, 2) == 0 ? first : second,
                start,
                start.plus(washout()),
                start.plusSeconds(seconds));
    }
}
