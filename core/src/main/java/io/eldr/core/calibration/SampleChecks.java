package io.eldr.core.calibration;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Refuses samples that no artifact can be fitted on, and says what is doubtful about others. */
final class SampleChecks {
    /** With fewer signatures per decoder the hottest decoder's share runs away (docs/calibration.md). */
    private static final int ENOUGH_PER_DECODER = 150;

    private SampleChecks() {}

    /** @throws InvalidInputException naming {@code samples} */
    static void requireUsable(List<RequestSample> samples, Geometry geometry, CalibrationOptions options) {
        if (samples.isEmpty()) {
            throw new InvalidInputException("samples", "there are none");
        }
        for (RequestSample sample : samples) {
            sample.prefill().requireShape("samples[" + sample.id() + "].prefill", geometry);
            if (sample.decode().isPresent()) {
                sample.decode().get().requireShape("samples[" + sample.id() + "].decode", geometry);
            }
        }
        if (samples.size() < options.clusters()) {
            throw new InvalidInputException(
                    "samples",
                    "are " + samples.size() + " but there are " + options.clusters()
                            + " clusters: at least one sample for each is needed");
        }
    }

    /** @throws InvalidInputException naming {@code holdOut} if it leaves too few samples to fit */
    static void requireEnoughToFit(SampleSplit split, int samples, CalibrationOptions options) {
        int fitted = split.fit().size();
        if (fitted < options.clusters()) {
            double most = Math.floor(50.0 * (samples - options.clusters()) / samples) / 100;
            throw new InvalidInputException(
                    "holdOut",
                    String.format(
                            Locale.ROOT,
                            "of %s keeps all but %d of %d samples from the fit, too few for %d clusters: give at most"
                                    + " %.2f, or more samples",
                            options.holdOut(),
                            fitted,
                            samples,
                            options.clusters(),
                            most));
        }
    }

    /**
     * @param spec of the signatures that are to be clustered
     * @throws InvalidInputException naming {@code samples} or {@code mask} if no fitted sample has a signature
     */
    static void requireSignatures(SignatureSpec spec, SampleSplit split, CalibrationOptions options) {
        if (split.fit().stream()
                .allMatch(sample -> spec.signatureOf(sample.prefill()).isZero())) {
            throw options.mask() instanceof MaskChoice.Given
                    ? new InvalidInputException(
                            "mask", "gives no sample a signature: layers " + spec.mask() + " say nothing")
                    : new InvalidInputException(
                            "samples", "give no signature: no layer counts anything that tells requests apart");
        }
    }

    static void warnOfSamples(
            List<RequestSample> samples, SampleSplit split, CalibrationOptions options, List<String> warnings) {
        int fitted = split.fit().size();
        if (fitted < ENOUGH_PER_DECODER * options.clusters()) {
            warnings.add("fitted on " + fitted + " samples for " + options.clusters() + " decoders: fewer than "
                    + ENOUGH_PER_DECODER + " each, so expect some decoders to draw far more requests than others");
        }
        String label = samples.getFirst().label();
        if (!label.isEmpty()
                && samples.size() > 1
                && samples.stream().allMatch(sample -> sample.label().equals(label))) {
            warnings.add("all samples are of one domain, '" + label
                    + "': the clusters divide it, and know nothing of other traffic");
        }
        List<Integer> silent = silentLayers(split);
        if (!silent.isEmpty()) {
            warnings.add("no fitted sample counts anything in layers " + silent + ": they say nothing");
        }
    }

    static void warnOfSignatures(SignatureSpec spec, SampleSplit split, List<String> warnings) {
        long zero = zeroSignatures(spec, split);
        if (zero > 0) {
            warnings.add(zero + " of the fitted samples have a zero signature: such requests are routed by load alone");
        }
        List<RequestSample> fit = split.fit();
        if (fit.size() > 1
                && fit.stream()
                                .map(sample -> spec.signatureOf(sample.prefill()))
                                .distinct()
                                .limit(2)
                                .count()
                        == 1) {
            warnings.add("all fitted samples have the same signature: no cluster can be told from another");
        }
    }

    static void warnOfMissingPatterns(RoutingArtifact artifact, List<String> warnings) {
        if (artifact.evidence().decodePatterns().isEmpty()) {
            warnings.add("the clusters' decode patterns are too large to keep: no expert placement can be made");
        }
    }

    private static long zeroSignatures(SignatureSpec spec, SampleSplit split) {
        return split.fit().stream()
                .filter(sample -> spec.signatureOf(sample.prefill()).isZero())
                .count();
    }

    private static List<Integer> silentLayers(SampleSplit split) {
        List<Integer> silent = new ArrayList<>();
        int layers = split.fit().getFirst().prefill().layers();
        for (int layer = 0; layer < layers; layer++) {
            int number = layer;
            if (split.fit().stream().allMatch(sample -> sample.prefill().layerSum(number) == 0)) {
                silent.add(layer);
            }
        }
        return silent;
    }
}
