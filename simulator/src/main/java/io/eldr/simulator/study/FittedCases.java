package io.eldr.simulator.study;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.RequestSample;
import io.eldr.simulator.workload.ServedRequests;
import java.util.List;

/** Fits an artifact to one seeded share of the requests and serves the others. */
public final class FittedCases implements StudyCases {
    private final ModelIdentity model;
    private final List<RequestSample> samples;
    private final DecodeTokens tokens;
    private final double fitShare;
    private final Options options;
    private final Calibrator calibrator;

    /** How a case is fitted. */
    @FunctionalInterface
    public interface Options {
        CalibrationOptions of(int decoders, long seed);
    }

    /**
     * @param tokens where the decode tokens of the samples come from
     * @param fitShare how much of the samples is fitted, between 0 and 1
     * @throws InvalidInputException naming {@code fitShare}
     */
    public FittedCases(
            ModelIdentity model,
            List<RequestSample> samples,
            DecodeTokens tokens,
            double fitShare,
            Options options,
            Calibrator calibrator) {
        if (!(fitShare > 0 && fitShare < 1)) {
            throw new InvalidInputException("fitShare", "must lie between 0 and 1 but is " + fitShare);
        }
        this.model = model;
        this.samples = List.copyOf(samples);
        this.tokens = tokens;
        this.fitShare = fitShare;
        this.options = options;
        this.calibrator = calibrator;
    }

    @Override
    public StudyCase prepare(int decoders, long seed) {
        SeededSplit split = SeededSplit.of(samples, fitShare, seed);
        if (split.fit().size() < decoders) {
            throw new InvalidInputException(
                    "decoders",
                    "are " + decoders + ", but only " + split.fit().size() + " of " + samples.size()
                            + " requests are there to fit their clusters on");
        }
        ServedRequests served = ServedRequests.of(model.geometry(), split.served(), tokens, seed);
        RoutingArtifact artifact = calibrator
                .calibrate(model, split.fit(), options.of(decoders, seed), tokens, CalibrationListener.none())
                .artifact();
        return new StudyCase(artifact, served);
    }
}
