package io.eldr.calibration.refit;

import io.eldr.calibration.artifact.Activations;
import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.db.activation.Activation;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.activation.ActivationOutcome;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import io.eldr.db.refit.Proposal;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.service.access.Caller;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What operators decide about refits: to cancel one, to approve or to dismiss what it proposes. */
@Service
class RefitDecisions {
    private final PoolDirectory pools;
    private final RefitRunRepository runs;
    private final RefitLifecycle lifecycle;
    private final Activations activations;
    private final ActivationLedger ledger;
    private final RefitViews views;
    private final Audit audit;

    RefitDecisions(
            PoolDirectory pools,
            RefitRunRepository runs,
            RefitLifecycle lifecycle,
            Activations activations,
            ActivationLedger ledger,
            RefitViews views,
            Audit audit) {
        this.pools = pools;
        this.runs = runs;
        this.lifecycle = lifecycle;
        this.activations = activations;
        this.ledger = ledger;
        this.views = views;
        this.audit = audit;
    }

    /** Ends a refit that is not over. */
    @Transactional
    public RefitView cancel(String poolName, long id, Caller caller) {
        Pool pool = pools.lock(poolName);
        RefitRun run = lock(pool, id);
        if (run.state().isFinal()) {
            String version =
                    run.version().isPresent() ? " as version " + run.version().getAsInt() : "";
            throw conflict("Refit " + id + " is over already: " + run.state() + version + ".");
        }
        RefitView before = views.brief(poolName, run);
        Actor actor = Audit.actor(caller);
        lifecycle.cancel(run, "cancelled by " + actor.name());
        return audited(actor, "refit.cancel", before, run);
    }

    /** Activates what a refit proposes. */
    @Transactional
    public RefitView approve(String poolName, long id, Optional<Long> expectedGeneration, Caller caller) {
        Pool pool = pools.lock(poolName);
        RefitRun run = lock(pool, id);
        int version = requireProposal(run);
        activations.requireGeneration(pool, expectedGeneration);
        RefitView before = views.brief(poolName, run);
        Actor actor = Audit.actor(caller);
        ActivationOutcome outcome =
                activations.activate(pool, version, actor, Optional.of("refit " + id + " was approved"));
        if (!(outcome instanceof ActivationOutcome.Activated)) {
            throw conflict("Version " + version + " cannot be activated: " + outcome);
        }
        run.decide(Proposal.APPROVED);
        return audited(actor, "refit.approve", before, runs.saveAndFlush(run));
    }

    /** Leaves what a refit proposes as it is; it can still be activated by hand. */
    @Transactional
    public RefitView dismiss(String poolName, long id, Caller caller) {
        Pool pool = pools.lock(poolName);
        RefitRun run = lock(pool, id);
        requireProposal(run);
        RefitView before = views.brief(poolName, run);
        run.decide(Proposal.DISMISSED);
        return audited(Audit.actor(caller), "refit.dismiss", before, runs.saveAndFlush(run));
    }

    private RefitView audited(Actor actor, String action, RefitView before, RefitRun run) {
        RefitView after = views.brief(before.pool(), run);
        audit.record(actor, action, before.pool(), "refit " + run.id(), Optional.of(before), Optional.of(after));
        return after;
    }

    private RefitRun lock(Pool pool, long id) {
        return runs.lock(id)
                .filter(run -> run.poolId() == pool.id())
                .orElseThrow(() -> RefitService.unknown(pool.name(), id));
    }

    /** The version that waits to be approved. */
    private int requireProposal(RefitRun run) {
        if (run.version().isEmpty()) {
            throw conflict("Refit " + run.id() + " is " + run.state() + ": it made no version.");
        }
        int version = run.version().getAsInt();
        int current = ledger.current(run.poolId()).map(Activation::version).orElse(0);
        if (current == version) {
            throw conflict("Version " + version + " is active already.");
        }
        int largest = ledger.largestServed(run.poolId());
        if (largest > version) {
            throw conflict("Version " + largest + ", which is newer than " + version + ", was activated since.");
        }
        if (!views.isProposed(run)) {
            String decided = run.proposal()
                    .map(proposal -> " it was " + proposal + " already")
                    .orElse(" it was activated by itself");
            throw conflict("Refit " + run.id() + " proposes nothing:" + decided + ".");
        }
        return version;
    }

    private static RuntimeException conflict(String detail) {
        return Problems.exception(ProblemType.CONFLICT, detail);
    }
}
