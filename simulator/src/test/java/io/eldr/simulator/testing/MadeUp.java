package io.eldr.simulator.testing;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.calibration.PairChoice;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import io.eldr.simulator.workload.ServedRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Requests of a small model in which each domain prefers experts of its own. */
public final class MadeUp {
    public static final Geometry GEOMETRY = new Geometry(4, 64, 4);
    public static final ModelIdentity MODEL = new ModelIdentity("made up", "", GEOMETRY);
    public static final ModelConstants CONSTANTS = ModelConstants.scaledToQwen(4, 64);
    public static final int PROMPT_TOKENS = 100;

    private static final int DECODED = 64;

    private MadeUp() {}

    /** So many requests, dealt to so many domains in turn. */
    public static List<RequestSample> samples(int count, int domains, long seed) {
        Random random = new Random(seed);
        List<RequestSample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int domain = i % domains;
            samples.add(new RequestSample(
                    "r" + i,
                    "domain-" + domain,
                    PROMPT_TOKENS,
                    counts(domain, domains, PROMPT_TOKENS, random),
                    Optional.of(counts(domain, domains, DECODED, random)),
                    DECODED));
        }
        return samples;
    }

    /** Three of four choices fall on the domain's own part of the experts. */
    private static ExpertCounts counts(int domain, int domains, int tokens, Random random) {
        int[] cells = new int[GEOMETRY.cells()];
        int part = GEOMETRY.experts() / domains;
        for (int token = 0; token < tokens; token++) {
            for (int layer = 0; layer < GEOMETRY.layers(); layer++) {
                boolean[] taken = new boolean[GEOMETRY.experts()];
                for (int chosen = 0; chosen < GEOMETRY.topK(); ) {
                    int expert = random.nextInt(4) > 0
                            ? domain * part + random.nextInt(part)
                            : random.nextInt(GEOMETRY.experts());
                    if (!taken[expert]) {
                        taken[expert] = true;
                        cells[layer * GEOMETRY.experts() + expert]++;
                        chosen++;
                    }
                }
            }
        }
        return ExpertCounts.of(GEOMETRY.layers(), GEOMETRY.experts(), cells);
    }

    public static DecodeTokens tokens() {
        return DecodeTokens.drawn(GEOMETRY);
    }

    public static ServedRequests served(int count, int domains, long seed) {
        return ServedRequests.of(GEOMETRY, samples(count, domains, seed), tokens(), seed);
    }

    /** A fit that takes no time to choose anything. */
    public static CalibrationOptions options(int clusters, long seed) {
        return new CalibrationOptions(
                clusters, Optional.of(Representation.COUNT), new MaskChoice.All(), seed, PairChoice.DEFAULT, 0);
    }

    public static Calibrator calibrator() {
        return new Calibrator(Parallel.sequential(), System::nanoTime);
    }

    public static RoutingArtifact artifact(int clusters, int domains, long seed) {
        return calibrator()
                .calibrate(
                        MODEL,
                        samples(40 * domains, domains, seed),
                        options(clusters, seed),
                        CalibrationListener.none())
                .artifact();
    }
}
