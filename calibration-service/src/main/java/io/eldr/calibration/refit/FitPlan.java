package io.eldr.calibration.refit;

import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.RequestSample;
import io.eldr.db.artifact.Artifact;
import java.util.List;
import java.util.Optional;

/**
 * What a refit fits, and how. Representation and mask can only be chosen on samples that carry decode counts. A refit of
 * samples of which less than half do keeps both from the last calibrated version and fits the rest; a pool that has no such
 * version calibrates on the few that carry them where there is one for each decoder, and else starts with {@code count} over
 * all layers, marked as uncalibrated. Where representation and mask are given, every sample serves; without any decode
 * counts the result is marked as uncalibrated too, since nothing shows how well it foretells decoding.
 *
 * @param basis {@code full}: chosen as the options say; {@code kept}: taken over from a version; {@code uncalibrated}
 * @param keptFrom the version whose representation and mask were taken over
 */
record FitPlan(List<RequestSample> samples, CalibrationOptions options, Basis basis, Optional<Integer> keptFrom) {
    enum Basis {
        FULL,
        KEPT,
        UNCALIBRATED
    }

    /**
     * @param read the newest samples
     * @param layers L of the pool's model
     * @param calibrated the last version that was not marked as uncalibrated
     */
    static FitPlan of(
            int clusters, RefitOptions options, List<RequestSample> read, int layers, Optional<Artifact> calibrated) {
        CalibrationOptions asked = options.calibration(clusters, layers);
        List<RequestSample> decoded =
                read.stream().filter(sample -> sample.decode().isPresent()).toList();
        if (options.needsNoDecodeCounts(layers)) {
            return decoded.isEmpty()
                    ? new FitPlan(read, asked, Basis.UNCALIBRATED, Optional.empty())
                    : full(read, asked);
        }
        int needed = calibrated.isPresent() ? Math.max(clusters, Math.ceilDiv(read.size(), 2)) : clusters;
        if (decoded.size() >= needed) {
            return full(decoded, asked);
        }
        if (!options.isAutomatic(layers)) {
            // Half of the choice is given, the other half cannot be made: the fit says so.
            return full(decoded.isEmpty() ? read : decoded, asked);
        }
        return calibrated
                .map(version -> new FitPlan(
                        read,
                        fixed(asked, version.representation(), mask(version, layers)),
                        Basis.KEPT,
                        Optional.of(version.version())))
                .orElseGet(() -> new FitPlan(
                        read,
                        fixed(asked, Representation.COUNT, new MaskChoice.All()),
                        Basis.UNCALIBRATED,
                        Optional.empty()));
    }

    private static FitPlan full(List<RequestSample> samples, CalibrationOptions options) {
        return new FitPlan(samples, options, Basis.FULL, Optional.empty());
    }

    private static MaskChoice mask(Artifact version, int layers) {
        return new MaskChoice.Given(LayerMask.of(
                layers, version.mask().stream().mapToInt(Integer::intValue).toArray()));
    }

    private static CalibrationOptions fixed(CalibrationOptions asked, Representation representation, MaskChoice mask) {
        return new CalibrationOptions(
                asked.clusters(), Optional.of(representation), mask, asked.seed(), asked.pairs(), asked.holdOut());
    }
}
