package io.eldr.calibration.evaluation;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.evaluation.EvaluationLifecycle.Attempt;
import io.eldr.calibration.job.JobProgress;
import io.eldr.calibration.job.JobStop;
import io.eldr.calibration.job.JobWatch;
import io.eldr.calibration.refit.FitThreads;
import io.eldr.calibration.refit.RefitInput;
import io.eldr.calibration.refit.SampleBudget;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.Calibrator;
import io.eldr.core.trace.ArrivalTrace;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.sample.SampleStore;
import io.eldr.simulator.study.FittedCases;
import io.eldr.simulator.study.Study;
import io.eldr.simulator.study.StudyCase;
import io.eldr.simulator.study.StudyCases;
import io.eldr.simulator.study.StudyListener;
import io.eldr.simulator.study.StudyReport;
import io.eldr.simulator.workload.ServedRequests;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One attempt of an evaluation from the samples to its report. */
@Component
class EvaluationWork {
    private static final Logger log = LoggerFactory.getLogger(EvaluationWork.class);
    private static final String READ = "read";
    private static final double FIT_SHARE = 0.5;
    /** Of the whole, where artifacts are fitted; simulating is the rest. */
    private static final double READING = 0.05;

    private final EvaluationLifecycle lifecycle;
    private final EvaluationWatch watch;
    private final JobStop stop;
    private final PoolRepository pools;
    private final SampleStore samples;
    private final ArtifactStore artifacts;
    private final ArrivalFolder arrivals;
    private final SampleBudget budget;
    private final FitThreads threads;
    private final JsonMapper json;
    private final CalibrationProperties.Refit settings;

    EvaluationWork(
            EvaluationLifecycle lifecycle,
            EvaluationWatch watch,
            JobStop stop,
            PoolRepository pools,
            SampleStore samples,
            ArtifactStore artifacts,
            ArrivalFolder arrivals,
            SampleBudget budget,
            FitThreads threads,
            JsonMapper json,
            CalibrationProperties properties) {
        this.lifecycle = lifecycle;
        this.watch = watch;
        this.stop = stop;
        this.pools = pools;
        this.samples = samples;
        this.artifacts = artifacts;
        this.arrivals = arrivals;
        this.budget = budget;
        this.threads = threads;
        this.json = json;
        this.settings = properties.refit();
    }

    /** @throws java.util.concurrent.CancellationException if the run was cancelled or goes on elsewhere */
    void run(Attempt attempt) {
        try (JobWatch.Watched watched = watch.watch(attempt.run(), attempt.number())) {
            run(attempt, watched);
        }
    }

    private void run(Attempt attempt, JobWatch.Watched watched) {
        JobProgress progress = new JobProgress(
                (stage, fraction) -> lifecycle.progress(attempt, stage, fraction),
                stop,
                watched,
                settings.progressInterval(),
                System::nanoTime);
        progress.show(READ, 0);
        Pool pool = pools.findById(attempt.poolId()).orElseThrow();
        EvaluationOptions options = json.readValue(attempt.options(), EvaluationOptions.class);
        Optional<ArrivalTrace> trace = arrivals.read(options.arrivals());
        List<RequestSample> read = RefitInput.read(samples, pool.id(), budget.samples(pool.geometry()), () -> {
                    stop.check();
                    watched.check();
                })
                .samples();
        Parallel parallel = threads.parallel();
        Optional<RoutingArtifact> evaluated = evaluated(pool, options);
        StudyCases cases = evaluated.isPresent()
                ? given(pool, evaluated.get(), read)
                : new FittedCases(
                        pool.identity(),
                        read,
                        DecodeTokens.drawn(pool.geometry()),
                        FIT_SHARE,
                        CalibrationOptions::automatic,
                        new Calibrator(parallel, System::nanoTime));
        StudyReport report = watched.interruptible(() -> Study.run(
                options.plan(pool.geometry(), trace),
                cases,
                parallel,
                (stage, done, total) -> show(progress, stage, done, total)));
        stop.check();
        lifecycle.succeed(attempt, write(report, evaluated.isPresent(), read.size()));
        log.info("Evaluation {} of pool {} has its report", attempt.run(), pool.name());
    }

    private static void show(JobProgress progress, StudyListener.Stage stage, int done, int total) {
        double simulated = stage == StudyListener.Stage.FIT ? 0 : (double) done / total;
        progress.show(stage.id(), READING + (1 - READING) * simulated);
    }

    /** The version itself, where it has as many clusters as there are to be decoders. */
    private Optional<RoutingArtifact> evaluated(Pool pool, EvaluationOptions options) {
        return options.version()
                .flatMap(version -> artifacts.content(pool.id(), version))
                .map(content -> ArtifactCodec.decode(content.bytes()))
                .filter(artifact -> options.decoders().equals(List.of(artifact.clusters())));
    }

    private static StudyCases given(Pool pool, RoutingArtifact artifact, List<RequestSample> read) {
        return (decoders, seed) -> new StudyCase(
                artifact, ServedRequests.of(pool.geometry(), read, DecodeTokens.drawn(pool.geometry()), seed));
    }

    /** The simulator's report with what only the service knows. */
    private String write(StudyReport report, boolean given, int read) {
        ObjectNode node = json.readValue(report.toJson(), ObjectNode.class);
        node.put("basis", given ? "version" : "fitted");
        node.put("samples", read);
        return json.writeValueAsString(node);
    }
}
