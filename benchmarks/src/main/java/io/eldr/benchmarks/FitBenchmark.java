package io.eldr.benchmarks;

import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.calibration.Calibration;
import io.eldr.core.calibration.CalibrationListener;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.CalibrationReport;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.RequestSample;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A full fit as a refit does it: three representations, each with its greedy mask over 30,000 pairs, five K-means starts,
 * held-out figures. After warm-up the median of several runs counts.
 */
final class FitBenchmark {
    static final Geometry GEOMETRY = new Geometry(48, 128, 8);
    static final int TOPICS = 20;

    private static final int REQUESTS = 1_000;
    private static final int CLUSTERS = 16;
    private static final long SEED = 1;
    private static final int WARM_UP_RUNS = 3;
    private static final int RUNS = 3;

    private FitBenchmark() {}

    static FitFigures measure() {
        List<RequestSample> samples = new MadeUpRequests(GEOMETRY, TOPICS, SEED).samples(REQUESTS);
        return Cores.use(parallel -> {
            Calibrator calibrator = new Calibrator(parallel, System::nanoTime);
            IntStream.range(0, WARM_UP_RUNS).forEach(run -> fit(calibrator, samples));
            return IntStream.range(0, RUNS)
                    .mapToObj(run -> fit(calibrator, samples))
                    .sorted(Comparator.comparingDouble(FitFigures::seconds))
                    .toList()
                    .get(RUNS / 2);
        });
    }

    private static FitFigures fit(Calibrator calibrator, List<RequestSample> samples) {
        try (Heap heap = Heap.watch()) {
            Calibration calibration = calibrator.calibrate(
                    new ModelIdentity("made-up", "", GEOMETRY),
                    samples,
                    CalibrationOptions.automatic(CLUSTERS, SEED),
                    CalibrationListener.none());
            CalibrationReport report = calibration.report();
            return new FitFigures(
                    samples.size(),
                    CLUSTERS,
                    calibration.artifact().spec().dimensions(),
                    SEED,
                    seconds(report.times().total()),
                    seconds(report.times().mask()),
                    seconds(report.times().cluster()),
                    heap.peakMiB(),
                    report.objective());
        }
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }
}
