package io.eldr.benchmarks;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.calibration.PairChoice;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.ArrivalTrace;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import io.eldr.simulator.cluster.ClusterSettings;
import io.eldr.simulator.cluster.RunFigures;
import io.eldr.simulator.cluster.Simulation;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Mix;
import io.eldr.simulator.workload.ServedRequests;
import io.eldr.simulator.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A million requests of an arrival trace at 60 a second on 8 prefill workers and 16 decoders of Qwen3-30B-A3B, on one core.
 * The trace's lengths are real, the experts are made up: 500 requests with 64 decode tokens each, 25 MB of bits.
 */
final class SimulationBenchmark {
    private static final Geometry GEOMETRY = new Geometry(48, 128, 8);
    private static final int REQUESTS = 1_000_000;
    private static final int SAMPLES = 500;
    private static final int PREFILLERS = 8;
    private static final int DECODERS = 16;
    private static final double RATE = 60;
    private static final long SEED = 1;

    private SimulationBenchmark() {}

    /**
     * @param seconds of the run alone
     * @param tokens that were decoded
     * @param tokensPerSecond of this machine's time
     */
    record Figures(
            String policy,
            int requests,
            double seconds,
            long tokens,
            double tokensPerSecond,
            double simulatedSeconds,
            double meanBatch,
            double meanUnion,
            double tpotP50Ms) {}

    static List<Figures> measure(Path arrivals) {
        ArrivalTrace trace = read(arrivals);
        List<RequestSample> samples = new MadeUpRequests(GEOMETRY, 20, SEED).samples(2 * SAMPLES);
        RoutingArtifact artifact = fit(samples.subList(0, SAMPLES));
        ServedRequests served =
                ServedRequests.of(GEOMETRY, samples.subList(SAMPLES, 2 * SAMPLES), DecodeTokens.drawn(GEOMETRY), SEED);
        Workload workload = Workload.of(
                served,
                new Arrivals.Recorded(String.valueOf(arrivals.getFileName()), trace, OptionalDouble.of(RATE)),
                new Mix.Recorded(),
                Optional.empty(),
                REQUESTS,
                SEED);
        long tokens = 0;
        for (int i = 0; i < workload.size(); i++) {
            tokens += workload.outputTokens(i);
        }
        long all = tokens;
        return List.of(PolicyName.JSQ, PolicyName.ELDR).stream()
                .map(policy -> measure(workload, artifact, policy, all))
                .toList();
    }

    private static Figures measure(Workload workload, RoutingArtifact artifact, PolicyName policy, long tokens) {
        ClusterSettings cluster = ClusterSettings.plain(PREFILLERS, DECODERS, ModelConstants.QWEN3_30B_ON_MI300X);
        Stopwatch running = new Stopwatch();
        RunFigures figures = running.time(
                () -> Simulation.run(workload, cluster, artifact, OptionalDouble.empty(), policy::create, SEED));
        return new Figures(
                policy.id(),
                REQUESTS,
                running.seconds(),
                tokens,
                Math.rint(tokens / running.seconds()),
                figures.seconds(),
                figures.meanBatch(),
                figures.meanUnion(),
                figures.tpotMs().p50());
    }

    private static RoutingArtifact fit(List<RequestSample> samples) {
        return new Calibrator(Parallel.sequential(), System::nanoTime)
                .calibrate(
                        new ModelIdentity("made up", "", GEOMETRY),
                        samples,
                        new CalibrationOptions(
                                DECODERS,
                                Optional.of(Representation.COUNT),
                                new MaskChoice.All(),
                                SEED,
                                PairChoice.DEFAULT,
                                0),
                        CalibrationListener.none())
                .artifact();
    }

    private static ArrivalTrace read(Path file) {
        try {
            return ArrivalTrace.read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
