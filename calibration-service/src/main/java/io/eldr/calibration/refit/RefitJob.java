package io.eldr.calibration.refit;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.pool.PoolSlots;
import io.eldr.calibration.refit.RefitLifecycle.Attempt;
import io.eldr.calibration.refit.RefitLifecycle.Turn;
import io.eldr.calibration.web.Fields;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.calibration.Calibration;
import io.eldr.core.calibration.StableSlots;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.activation.Activation;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.artifact.ArtifactRepository;
import io.eldr.db.artifact.ArtifactStore;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.sample.SampleStore;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs a refit from its turn to its end. Whatever the fit itself cannot do ends the run as FAILED with the reason; a registry
 * that is away, or a process that ends, leaves it to be started again.
 */
@Component
class RefitJob {
    private static final Logger log = LoggerFactory.getLogger(RefitJob.class);

    /** What the scheduler has to know. */
    enum Ending {
        OVER,
        NOT_ITS_TURN
    }

    private final RefitLifecycle lifecycle;
    private final RefitStop stop;
    private final Fitting fitting;
    private final PoolSlots slots;
    private final PoolRepository pools;
    private final SampleStore samples;
    private final RefitRunRepository runs;
    private final ArtifactRepository artifacts;
    private final ArtifactStore store;
    private final ActivationLedger ledger;
    private final JsonMapper json;
    private final SampleBudget budget;
    private final CalibrationProperties.Refit settings;

    RefitJob(
            RefitLifecycle lifecycle,
            RefitStop stop,
            Fitting fitting,
            PoolSlots slots,
            PoolRepository pools,
            SampleStore samples,
            RefitRunRepository runs,
            ArtifactRepository artifacts,
            ArtifactStore store,
            ActivationLedger ledger,
            JsonMapper json,
            SampleBudget budget,
            CalibrationProperties properties) {
        this.lifecycle = lifecycle;
        this.stop = stop;
        this.fitting = fitting;
        this.slots = slots;
        this.pools = pools;
        this.samples = samples;
        this.runs = runs;
        this.artifacts = artifacts;
        this.store = store;
        this.ledger = ledger;
        this.json = json;
        this.budget = budget;
        this.settings = properties.refit();
    }

    Ending run(long id) {
        return switch (lifecycle.begin(id)) {
            case Turn.Over() -> Ending.OVER;
            case Turn.NotYet() -> Ending.NOT_ITS_TURN;
            case Turn.Begun(Attempt attempt) -> {
                log.info("Refit {} begins, attempt {}", attempt.run(), attempt.number());
                attempt(attempt);
                yield Ending.OVER;
            }
        };
    }

    private void attempt(Attempt attempt) {
        try {
            fit(attempt);
        } catch (CancellationException over) {
            // The end of this process interrupts fits; that must not keep them from being handed over.
            if (Thread.interrupted()) {
                stop.check();
            }
            log.info("Refit {} was left: {}", attempt.run(), over.getMessage());
        } catch (TransactionException | RefitStop.RefitStoppedException later) {
            log.warn("Refit {} will be started again: {}", attempt.run(), later.toString());
            throw later;
        } catch (InvalidInputException refused) {
            log.info("Refit {} failed: {}", attempt.run(), refused.getMessage());
            lifecycle.fail(attempt, String.valueOf(refused.getMessage()));
        } catch (OutOfMemoryError tooMuch) {
            log.error("Refit {} ran out of memory", attempt.run(), tooMuch);
            lifecycle.fail(
                    attempt,
                    "not enough memory for the samples: lower eldr.calibration.refit.max-samples or give more");
        } catch (RuntimeException bug) {
            if (bug instanceof DataAccessException && RegistryFailures.mayPass(bug)) {
                log.warn("Refit {} will be started again: {}", attempt.run(), bug.toString());
                throw bug;
            }
            log.error("Refit {} failed", attempt.run(), bug);
            lifecycle.fail(attempt, "the service failed: " + bug);
        }
    }

    private void fit(Attempt attempt) {
        RefitProgress progress =
                new RefitProgress(lifecycle, attempt, stop, settings.progressInterval(), System::nanoTime);
        progress.reading();
        Pool pool = pools.findById(attempt.poolId()).orElseThrow();
        List<String> decoders = slots.decoders(pool.id());
        if (decoders.isEmpty()) {
            throw new InvalidInputException("", "the pool has no decoders any more");
        }
        Optional<String> shortOfMemory = shortOfMemory(pool);
        shortOfMemory.ifPresent(warning -> log.warn("Refit {} {}", attempt.run(), warning));
        RefitInput input = RefitInput.read(samples, pool.id(), budget.samples(pool.geometry()));
        if (input.samples().size() < decoders.size()) {
            throw new InvalidInputException(
                    "", "there are " + input.samples().size() + " samples for " + decoders.size() + " decoders");
        }
        byte[] fingerprint = input.fingerprint(pool.identity(), decoders, attempt.options());
        lifecycle.fingerprint(attempt, fingerprint);
        Optional<Artifact> active = active(pool);
        if (!attempt.force() && active.flatMap(this::fingerprintOf).equals(Optional.of(hex(fingerprint)))) {
            lifecycle.reject(
                    attempt, "nothing new since version " + active.get().version());
            return;
        }
        int layers = pool.geometry().layers();
        RefitOptions options = json.readValue(attempt.options(), RefitOptions.class);
        FitPlan plan = FitPlan.of(decoders.size(), options, input.samples(), layers, lastCalibrated(pool));
        Calibration fitted = fitting.fit(pool.identity(), plan.samples(), plan.options(), progress);
        RoutingArtifact bound =
                StableSlots.bind(fitted.artifact(), decoders, active.flatMap(this::decoded), plan.samples());
        stop.check();
        Artifact published = lifecycle.succeed(
                attempt,
                bound,
                plan.basis() == FitPlan.Basis.UNCALIBRATED,
                report(fitted.report().toJson(), plan, input, shortOfMemory));
        log.info("Refit {} published version {} of pool {}", attempt.run(), published.version(), pool.name());
    }

    private Optional<String> shortOfMemory(Pool pool) {
        int fitting = budget.samples(pool.geometry());
        int available = samples.countUpTo(pool.id(), budget.wanted());
        return available > fitting ? Optional.of(budget.warning(fitting, available)) : Optional.empty();
    }

    /** The fit's own report, and on what it stands. */
    private String report(String fitted, FitPlan plan, RefitInput input, Optional<String> warning) {
        ObjectNode report = json.readValue(fitted, ObjectNode.class);
        warning.ifPresent(text -> report.withArray("warnings").add(text));
        ObjectNode basis = report.putObject("basis");
        basis.put("kind", Fields.word(plan.basis()));
        plan.keptFrom().ifPresent(version -> basis.put("keptFromVersion", version));
        basis.put("samplesRead", input.samples().size());
        basis.put("samplesUsed", plan.samples().size());
        basis.put(
                "samplesWithDecode",
                input.samples().stream()
                        .filter(sample -> sample.decode().isPresent())
                        .count());
        return json.writeValueAsString(report);
    }

    private Optional<Artifact> active(Pool pool) {
        return ledger.current(pool.id())
                .map(Activation::version)
                .flatMap(version -> artifacts.findByPoolIdAndVersion(pool.id(), version));
    }

    private Optional<String> fingerprintOf(Artifact artifact) {
        return artifact.refitRunId().isPresent()
                ? runs.findById(artifact.refitRunId().getAsLong()).flatMap(RefitRun::inputFingerprint)
                : Optional.empty();
    }

    private Optional<RoutingArtifact> decoded(Artifact artifact) {
        return store.content(artifact.poolId(), artifact.version())
                .map(content -> ArtifactCodec.decode(content.bytes()));
    }

    private Optional<Artifact> lastCalibrated(Pool pool) {
        return artifacts.findByPoolIdOrderByVersionDesc(pool.id()).stream()
                .filter(artifact -> !artifact.uncalibrated())
                .findFirst();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
