package io.eldr.calibration.evaluation;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.db.evaluation.EvaluationRun;
import io.eldr.db.evaluation.EvaluationRunRepository;
import io.eldr.db.evaluation.EvaluationState;
import io.eldr.db.pool.PoolRepository;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Moves the row of an evaluation on, each step in a transaction. An attempt that was taken for dead and started again
 * elsewhere finds that out at its next step, by the number of the attempt, and changes nothing any more.
 */
@Component
class EvaluationLifecycle {
    private static final int MAX_REASON = 4_000;

    private final EvaluationRunRepository runs;
    private final PoolRepository pools;
    private final InstantSource clock;
    private final int maxAttempts;

    EvaluationLifecycle(
            EvaluationRunRepository runs, PoolRepository pools, InstantSource clock, CalibrationProperties properties) {
        this.runs = runs;
        this.pools = pools;
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
    record Attempt(long run, int number, long poolId, String options) {}

    @Transactional
    public Turn begin(long id) {
        Optional<EvaluationRun> found = runs.poolOf(id)
                .filter(pool -> pools.lock(pool).isPresent())
                .flatMap(pool -> runs.lock(id))
                .filter(run -> !run.isOver());
        if (found.isEmpty()) {
            return new Turn.Over();
        }
        EvaluationRun run = found.get();
        if (run.state() == EvaluationState.QUEUED) {
            boolean first = runs.findByPoolIdAndStateInOrderById(
                                    run.poolId(), EnumSet.of(EvaluationState.QUEUED, EvaluationState.RUNNING))
                            .getFirst()
                            .id()
                    == id;
            if (!first) {
                return new Turn.NotYet();
            }
            run.start(clock.instant());
        } else if (run.attempts() >= maxAttempts) {
            run.fail("it was started " + run.attempts() + " times and never came to its end", clock.instant());
            runs.saveAndFlush(run);
            return new Turn.Over();
        } else {
            run.restart();
        }
        runs.saveAndFlush(run);
        return new Turn.Begun(new Attempt(id, run.attempts(), run.poolId(), run.options()));
    }

    @Transactional
    public void progress(Attempt attempt, String stage, double fraction) {
        EvaluationRun run = mine(attempt);
        run.progress(stage, fraction);
        runs.saveAndFlush(run);
    }

    @Transactional
    public void succeed(Attempt attempt, String report) {
        EvaluationRun run = mine(attempt);
        run.succeed(report, clock.instant());
        runs.saveAndFlush(run);
    }

    @Transactional
    public void fail(Attempt attempt, String reason) {
        EvaluationRun run = mine(attempt);
        run.fail(reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON), clock.instant());
        runs.saveAndFlush(run);
    }

    /** @throws CancellationException if the run is over, or another process has started it again */
    private EvaluationRun mine(Attempt attempt) {
        return runs.lock(attempt.run())
                .filter(run -> run.isRunning() && run.attempts() == attempt.number())
                .orElseThrow(() ->
                        new CancellationException("evaluation " + attempt.run() + " goes on without this attempt"));
    }
}
