package io.eldr.calibration.refit;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.artifact.Activations;
import io.eldr.calibration.artifact.Publisher;
import io.eldr.calibration.telemetry.CalibrationMetrics;
import io.eldr.calibration.tracing.Spans;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolMode;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.refit.RefitState;
import io.eldr.db.refit.RefitTrigger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Moves the row of a refit on, each step in a transaction. An attempt that was taken for dead and started again elsewhere
 * finds that out at its next step, by the number of the attempt, and changes nothing any more.
 */
@Component
class RefitLifecycle {
    private static final int MAX_REASON = 4_000;

    private final RefitRunRepository runs;
    private final PoolRepository pools;
    private final Publisher publisher;
    private final Activations activations;
    private final CalibrationMetrics metrics;
    private final Spans spans;
    private final InstantSource clock;
    private final int maxAttempts;

    RefitLifecycle(
            RefitRunRepository runs,
            PoolRepository pools,
            Publisher publisher,
            Activations activations,
            CalibrationMetrics metrics,
            Spans spans,
            InstantSource clock,
            CalibrationProperties properties) {
        this.runs = runs;
        this.pools = pools;
        this.publisher = publisher;
        this.activations = activations;
        this.metrics = metrics;
        this.spans = spans;
        this.clock = clock;
        this.maxAttempts = properties.refit().maxAttempts();
    }

    /** What is to be done about a run. */
    sealed interface Turn {
        record Begun(Attempt attempt) implements Turn {}

        /** Another run of the pool comes first. */
        record NotYet() implements Turn {}

        record Over() implements Turn {}
    }

    /**
     * One start of a run.
     *
     * @param number 1, 2, .. within the run
     * @param options as the run carries them
     */
    record Attempt(long run, int number, long poolId, RefitTrigger trigger, boolean force, String options) {}

    @Transactional
    public Turn begin(long id) {
        Optional<RefitRun> found = runs.poolOf(id)
                .filter(pool -> pools.lock(pool).isPresent())
                .flatMap(pool -> runs.lock(id))
                .filter(run -> !run.state().isFinal());
        if (found.isEmpty()) {
            return new Turn.Over();
        }
        RefitRun run = found.get();
        if (run.state() == RefitState.QUEUED) {
            boolean first = runs.findByPoolIdAndStateInOrderById(
                                    run.poolId(), EnumSet.of(RefitState.QUEUED, RefitState.RUNNING))
                            .getFirst()
                            .id()
                    == id;
            if (!first) {
                return new Turn.NotYet();
            }
            run.start(clock.instant());
        } else if (run.attempts() >= maxAttempts) {
            end(run, () -> run.fail("it was started " + run.attempts() + " times and never came to its end", now()));
            return new Turn.Over();
        } else {
            run.restart();
        }
        runs.saveAndFlush(run);
        return new Turn.Begun(new Attempt(id, run.attempts(), run.poolId(), run.trigger(), run.force(), run.options()));
    }

    @Transactional
    public void progress(Attempt attempt, String stage, double fraction) {
        RefitRun run = mine(attempt);
        run.progress(stage, fraction);
        runs.saveAndFlush(run);
    }

    @Transactional
    public void takeSlots(Attempt attempt, List<String> decoders) {
        RefitRun run = mine(attempt);
        run.takeSlots(decoders);
        runs.saveAndFlush(run);
    }

    /**
     * @param newestSample the largest id of the samples that were read
     * @param sha256 over everything that decides what the fit makes
     */
    @Transactional
    public void takeInput(Attempt attempt, OptionalLong newestSample, byte[] sha256) {
        RefitRun run = mine(attempt);
        newestSample.ifPresent(run::takeSamples);
        run.fingerprint(sha256);
        runs.saveAndFlush(run);
    }

    /** Counts what the gate said. */
    void judged(CalibrationMetrics.GateOutcome outcome, Judgement.On on) {
        metrics.judged(outcome, on.word());
    }

    /**
     * Publishes, and ends the run: all of it or nothing. The version is activated unless the pool is pinned or wants to be
     * asked; then it is proposed.
     */
    @Transactional
    public Artifact succeed(Attempt attempt, RoutingArtifact artifact, boolean uncalibrated, String report) {
        if (pools.lock(attempt.poolId()).isEmpty()) {
            throw new CancellationException("the pool was deleted");
        }
        Pool pool = pools.findById(attempt.poolId()).orElseThrow();
        RefitRun run = mine(attempt);
        Actor actor = run.requestedBy();
        Artifact published = publisher.publish(
                pool, artifact, Optional.of(new Publisher.Provenance(run.id(), uncalibrated, report)), actor);
        boolean automatic = !pool.pinned() && pool.mode() == PoolMode.AUTOMATIC;
        end(run, () -> {
            run.succeed(published.version(), report, now());
            if (!automatic) {
                run.propose();
            }
        });
        if (automatic) {
            // Routers are told when the transaction commits.
            spans.in(
                    "notify",
                    () -> activations.activate(pool, published.version(), actor, Optional.of("refit " + run.id())));
        }
        return published;
    }

    @Transactional
    public void reject(Attempt attempt, String reason, Optional<String> report) {
        RefitRun run = mine(attempt);
        end(run, () -> run.reject(shortened(reason), report, now()));
    }

    /**
     * Cancels a run that is not over: one that waits at once, one that runs at its next step, on whichever replica.
     *
     * @param run its row and its pool are locked by the caller, so that one that was faster to publish stays as it is
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void cancel(RefitRun run, String reason) {
        end(run, () -> run.cancel(Optional.of(shortened(reason)), now()));
    }

    @Transactional
    public void fail(Attempt attempt, String reason) {
        RefitRun run = mine(attempt);
        end(run, () -> run.fail(shortened(reason), now()));
    }

    private void end(RefitRun run, Runnable move) {
        move.run();
        runs.saveAndFlush(run);
        RefitState outcome = run.state();
        RefitTrigger trigger = run.trigger();
        Duration took = Duration.between(run.startedAt().orElse(run.createdAt()), now());
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                metrics.refit(outcome, trigger, took);
            }
        });
    }

    /** @throws CancellationException if the run is over, or another process has started it again */
    private RefitRun mine(Attempt attempt) {
        return runs.lock(attempt.run())
                .filter(run -> run.state() == RefitState.RUNNING && run.attempts() == attempt.number())
                .orElseThrow(
                        () -> new CancellationException("refit " + attempt.run() + " goes on without this attempt"));
    }

    private Instant now() {
        return clock.instant();
    }

    private static String shortened(String reason) {
        return reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON);
    }
}
