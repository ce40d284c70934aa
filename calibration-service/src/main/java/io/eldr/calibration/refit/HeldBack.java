package io.eldr.calibration.refit;

import io.eldr.core.trace.RequestSample;
import java.util.List;
import java.util.Optional;

/**
 * How the samples of a refit are divided between fitting and judging. Where the newest fifth holds enough samples that the
 * active version has not seen either, it is left out of the fit and those of it judge both versions. Otherwise everything is
 * fitted on, and the part that the fit itself keeps for its last figures has to do.
 *
 * @param fitted what the candidate may see, oldest first
 * @param judges what neither version has seen; empty: the fit's own test part judges
 */
record HeldBack(List<RequestSample> fitted, List<RequestSample> judges) {
    /** With fewer the figures say little. */
    static final int ENOUGH = 500;

    private static final double SHARE = 0.2;

    static HeldBack of(RefitInput input, Optional<ActiveVersion> active) {
        List<RefitInput.Read> read = input.read();
        int newest = (int) (read.size() * SHARE);
        if (active.isPresent() && newest >= ENOUGH) {
            List<RequestSample> judges = read.subList(read.size() - newest, read.size()).stream()
                    .filter(sample -> active.get().isOlderThan(sample.id(), sample.createdAt()))
                    .map(RefitInput.Read::sample)
                    .toList();
            if (judges.size() >= ENOUGH) {
                return new HeldBack(input.samples().subList(0, read.size() - newest), judges);
            }
        }
        return new HeldBack(input.samples(), List.of());
    }
}
