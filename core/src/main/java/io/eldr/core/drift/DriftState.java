package io.eldr.core.drift;

/**
 * What the windows so far make of a pool: an alarm takes several drifted windows in a row, and its end as many others, so
 * that one odd window changes nothing.
 *
 * @param inRow how many of the newest windows in a row speak against {@code alarm}
 * @param alarm whether the pool drifts
 */
public record DriftState(int inRow, boolean alarm) {
    /** Before the first window. */
    public static final DriftState CALM = new DriftState(0, false);

    public DriftState {
        if (inRow < 0) {
            throw new IllegalArgumentException("inRow must not be negative but is " + inRow);
        }
    }

    /** The state after one more window. */
    public DriftState after(DriftVerdict verdict, DriftThresholds thresholds) {
        if (verdict.drifted() == alarm) {
            return new DriftState(0, alarm);
        }
        return inRow + 1 >= thresholds.windowsInRow() ? new DriftState(0, !alarm) : new DriftState(inRow + 1, alarm);
    }
}
