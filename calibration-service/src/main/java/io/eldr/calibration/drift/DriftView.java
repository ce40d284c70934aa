package io.eldr.calibration.drift;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whether a pool drifts from what its active artifact was fitted on.
 *
 * @param state {@code suspected}: the newest window drifted, but not yet enough in a row for an alarm
 * @param reason why it is unknown
 * @param generation what serves
 * @param since when the alarm was raised
 * @param refitRequested whether a refit was asked for since
 * @param heldOut what windows are compared with
 * @param collecting the window that fills up
 * @param windows the newest full ones, newest first, those of earlier generations included
 */
record DriftView(
        String pool,

        @Schema(allowableValues = {"unknown", "calm", "suspected", "alarm"})
        String state,

        Optional<String> reason,
        Optional<Long> generation,
        Optional<Integer> version,
        Optional<Instant> since,
        boolean refitRequested,
        Thresholds thresholds,
        Optional<HeldOut> heldOut,
        Optional<Collecting> collecting,
        List<WindowView> windows) {
    /**
     * From where on a window has drifted.
     *
     * @param window how many requests with a signature make a window full
     * @param windowsInRow how many drifted windows in a row raise the alarm, and how many others end it
     */
    @Schema(name = "DriftThresholds")
    record Thresholds(
            int window,
            double psiFactor,
            double psiFloor,
            double significance,
            double similarityDrop,
            int windowsInRow) {}

    /** The held-out requests of the artifact. */
    @Schema(name = "DriftReference")
    record HeldOut(int requests, double meanSimilarity, List<Double> shares) {}

    /** A window that is not full yet. */
    record Collecting(Instant startedAt, long requests, long withoutSignature) {}
}
