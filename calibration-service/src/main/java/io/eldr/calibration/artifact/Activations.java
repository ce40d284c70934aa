package io.eldr.calibration.artifact;

import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.telemetry.CalibrationMetrics;
import io.eldr.db.activation.Activation;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.activation.ActivationOutcome;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Activates and rolls back artifact versions within the caller's transaction, and writes down who did it. */
@Service
public class Activations {
    private final ActivationLedger ledger;
    private final Audit audit;
    private final CalibrationMetrics metrics;

    Activations(ActivationLedger ledger, Audit audit, CalibrationMetrics metrics) {
        this.ledger = ledger;
        this.audit = audit;
        this.metrics = metrics;
    }

    @Transactional(propagation = Propagation.MANDATORY)
    public ActivationOutcome activate(Pool pool, int version, Actor actor, Optional<String> reason) {
        Optional<Activation> before = ledger.current(pool.id());
        return recorded(pool, before, actor, ledger.activate(pool.id(), version, actor, reason));
    }

    /** @param version where to go back to; empty: the version that was served before the current one */
    @Transactional(propagation = Propagation.MANDATORY)
    public ActivationOutcome rollBack(Pool pool, OptionalInt version, Actor actor, Optional<String> reason) {
        Optional<Activation> before = ledger.current(pool.id());
        return recorded(pool, before, actor, ledger.rollBack(pool.id(), version, actor, reason));
    }

    /**
     * Ends the call with a problem where somebody was faster.
     *
     * @param expected the generation that the caller saw, 0 before the first
     * @throws org.springframework.web.ErrorResponseException 409 if the pool, whose lock is held, is at another one
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void requireGeneration(Pool pool, Optional<Long> expected) {
        long generation = ledger.current(pool.id()).map(Activation::generation).orElse(0L);
        if (expected.isPresent() && generation != expected.get()) {
            throw Problems.exception(
                    ProblemType.CONFLICT,
                    "The pool is at generation " + generation + " by now, not at " + expected.get() + ".");
        }
    }

    private ActivationOutcome recorded(Pool pool, Optional<Activation> before, Actor actor, ActivationOutcome outcome) {
        if (outcome instanceof ActivationOutcome.Activated(Activation activation)) {
            ActivationView after = ActivationView.of(pool.name(), activation);
            audit.record(
                    actor,
                    "artifact." + after.kind(),
                    pool.name(),
                    "version " + activation.version(),
                    before.map(current -> ActivationView.of(pool.name(), current)),
                    Optional.of(after));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    metrics.activated(activation.kind());
                }
            });
        }
        return outcome;
    }
}
