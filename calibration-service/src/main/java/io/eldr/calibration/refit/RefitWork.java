package io.eldr.calibration.refit;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.job.JobStop;
import io.eldr.calibration.job.JobWatch;
import io.eldr.calibration.pool.PoolSlots;
import io.eldr.calibration.refit.RefitLifecycle.Attempt;
import io.eldr.calibration.tracing.Spans;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.Calibration;
import io.eldr.core.calibration.StableSlots;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.sample.SampleStore;
import io.opentelemetry.api.trace.Span;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** One attempt of a refit from the samples to its version, or to the reason why there is none. */
@Component
class RefitWork {
    private static final Logger log = LoggerFactory.getLogger(RefitWork.class);

    private final RefitLifecycle lifecycle;
    private final JobStop stop;
    private final RefitWatch watch;
    private final RefitRejections rejections;
    private final Fitting fitting;
    private final RefitGate gate;
    private final RefitReport reports;
    private final ActiveVersions versions;
    private final PoolSlots slots;
    private final PoolRepository pools;
    private final SampleStore samples;
    private final JsonMapper json;
    private final SampleBudget budget;
    private final Spans spans;
    private final CalibrationProperties.Refit settings;

    RefitWork(
            RefitLifecycle lifecycle,
            JobStop stop,
            RefitWatch watch,
            RefitRejections rejections,
            Fitting fitting,
            RefitGate gate,
            RefitReport reports,
            ActiveVersions versions,
            PoolSlots slots,
            PoolRepository pools,
            SampleStore samples,
            JsonMapper json,
            SampleBudget budget,
            Spans spans,
            CalibrationProperties properties) {
        this.lifecycle = lifecycle;
        this.stop = stop;
        this.watch = watch;
        this.rejections = rejections;
        this.fitting = fitting;
        this.gate = gate;
        this.reports = reports;
        this.versions = versions;
        this.slots = slots;
        this.pools = pools;
        this.samples = samples;
        this.json = json;
        this.budget = budget;
        this.spans = spans;
        this.settings = properties.refit();
    }

    /** @throws java.util.concurrent.CancellationException if the run was cancelled or goes on elsewhere */
    void run(Attempt attempt) {
        try (JobWatch.Watched watched = watch.watch(attempt.run(), attempt.number())) {
            run(attempt, watched);
        }
    }

    private void run(Attempt attempt, JobWatch.Watched watched) {
        RefitProgress progress =
                new RefitProgress(lifecycle, attempt, stop, watched, settings.progressInterval(), System::nanoTime);
        progress.reading();
        Pool pool = pools.findById(attempt.poolId()).orElseThrow();
        Span.current().setAttribute("eldr.pool", pool.name());
        List<String> decoders = slots.decoders(pool.id());
        if (decoders.isEmpty()) {
            throw new InvalidInputException("", "the pool has no decoders any more");
        }
        lifecycle.takeSlots(attempt, decoders);
        Optional<String> shortOfMemory = shortOfMemory(pool);
        shortOfMemory.ifPresent(warning -> log.warn("Refit {} {}", attempt.run(), warning));
        RefitInput input = spans.in("collect", () -> collect(pool, watched));
        byte[] fingerprint = input.fingerprint(pool.identity(), decoders, attempt.options());
        lifecycle.takeInput(attempt, input.newestSample(), fingerprint);
        if (input.read().size() < decoders.size()) {
            throw new InvalidInputException(
                    "", "there are " + input.read().size() + " samples for " + decoders.size() + " decoders");
        }
        Optional<ActiveVersion> active = versions.of(pool.id());
        if (!attempt.force()) {
            if (active.isPresent() && active.get().isOf(HexFormat.of().formatHex(fingerprint))) {
                lifecycle.reject(
                        attempt, "nothing new since version " + active.get().number(), Optional.empty());
                return;
            }
            Optional<RefitRejections.Earlier> earlier = rejections.of(attempt, fingerprint, active);
            if (earlier.isPresent()) {
                lifecycle.reject(
                        attempt,
                        earlier.get().reason(),
                        Optional.of(earlier.get().report()));
                return;
            }
        }
        fit(attempt, watched, progress, pool, decoders, input, active, shortOfMemory);
    }

    private RefitInput collect(Pool pool, JobWatch.Watched watched) {
        RefitInput input = RefitInput.read(samples, pool.id(), budget.samples(pool.geometry()), () -> {
            stop.check();
            watched.check();
        });
        Span.current().setAttribute("eldr.samples", input.read().size());
        return input;
    }

    private void fit(
            Attempt attempt,
            JobWatch.Watched watched,
            RefitProgress progress,
            Pool pool,
            List<String> decoders,
            RefitInput input,
            Optional<ActiveVersion> active,
            Optional<String> shortOfMemory) {
        RefitOptions options = json.readValue(attempt.options(), RefitOptions.class);
        HeldBack division = HeldBack.of(input, active);
        FitPlan plan = FitPlan.of(
                decoders.size(),
                options,
                division.fitted(),
                pool.geometry().layers(),
                versions.lastCalibrated(pool.id()));
        Calibration fitted = spans.in("fit", () -> fit(pool, plan, progress, watched));
        progress.judging();
        RoutingArtifact bound = spans.in(
                "bind",
                () -> watched.interruptible(() -> StableSlots.bind(
                        fitted.artifact(), decoders, active.map(ActiveVersion::artifact), plan.samples())));
        Judgement judgement = spans.in(
                "gate",
                () -> watched.interruptible(
                        () -> gate.judge(bound, active, division, fitted.test(), attempt.trigger(), options.seed())));
        String report =
                reports.write(attempt, fitted.report(), input, division, plan, judgement, active, shortOfMemory);
        stop.check();
        lifecycle.judged(judgement.outcome(attempt.force()), judgement.on());
        if (!judgement.passed() && !attempt.force()) {
            spans.in("store", () -> lifecycle.reject(attempt, judgement.reason(), Optional.of(report)));
            log.info("Refit {} of pool {} was rejected: {}", attempt.run(), pool.name(), judgement.reason());
            return;
        }
        Artifact published = spans.in(
                "store", () -> lifecycle.succeed(attempt, bound, plan.basis() == FitPlan.Basis.UNCALIBRATED, report));
        Span.current().setAttribute("eldr.version", published.version());
        log.info("Refit {} published version {} of pool {}", attempt.run(), published.version(), pool.name());
    }

    private Calibration fit(Pool pool, FitPlan plan, RefitProgress progress, JobWatch.Watched watched) {
        try (FitSpans steps = new FitSpans(spans, progress)) {
            return watched.interruptible(() -> fitting.fit(pool.identity(), plan.samples(), plan.options(), steps));
        }
    }

    private Optional<String> shortOfMemory(Pool pool) {
        int fitting = budget.samples(pool.geometry());
        int available = samples.countUpTo(pool.id(), budget.wanted());
        return available > fitting ? Optional.of(budget.warning(fitting, available)) : Optional.empty();
    }
}
