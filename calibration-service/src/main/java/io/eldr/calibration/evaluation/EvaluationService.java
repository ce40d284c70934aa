package io.eldr.calibration.evaluation;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.calibration.pool.PoolSlots;
import io.eldr.db.activation.Activation;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.artifact.Artifact;
import io.eldr.db.artifact.ArtifactRepository;
import io.eldr.db.audit.Actor;
import io.eldr.db.evaluation.EvaluationRun;
import io.eldr.db.evaluation.EvaluationRunRepository;
import io.eldr.db.evaluation.EvaluationState;
import io.eldr.db.pool.Pool;
import io.eldr.db.sample.SampleStore;
import io.eldr.service.access.Caller;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Takes wishes for evaluations and says what became of them. */
@Service
class EvaluationService {
    private final PoolDirectory pools;
    private final PoolSlots slots;
    private final ActivationLedger ledger;
    private final ArtifactRepository artifacts;
    private final SampleStore samples;
    private final ArrivalFolder arrivals;
    private final EvaluationRunRepository runs;
    private final EvaluationQueue queue;
    private final Audit audit;
    private final InstantSource clock;
    private final JsonMapper json;
    private final int maxOpen;

    EvaluationService(
            PoolDirectory pools,
            PoolSlots slots,
            ActivationLedger ledger,
            ArtifactRepository artifacts,
            SampleStore samples,
            ArrivalFolder arrivals,
            EvaluationRunRepository runs,
            EvaluationQueue queue,
            Audit audit,
            InstantSource clock,
            JsonMapper json,
            CalibrationProperties properties) {
        this.pools = pools;
        this.slots = slots;
        this.ledger = ledger;
        this.artifacts = artifacts;
        this.samples = samples;
        this.arrivals = arrivals;
        this.runs = runs;
        this.queue = queue;
        this.audit = audit;
        this.clock = clock;
        this.json = json;
        this.maxOpen = properties.evaluation().maxOpen();
    }

    @Transactional
    public EvaluationView request(String poolName, EvaluationRequest request, Caller caller) {
        Pool pool = pools.require(poolName);
        Optional<Artifact> artifact = artifact(pool, request.version());
        int clusters = artifact.map(found -> found.slots().size())
                .orElseGet(() -> slots.decoders(pool.id()).size());
        if (clusters == 0 && request.decoders().isEmpty()) {
            throw conflict("The pool has neither an artifact nor decoders: name how many decoders to simulate.");
        }
        EvaluationOptions options =
                EvaluationOptions.of(request, artifact.map(Artifact::version), Math.max(1, clusters));
        // Refuses at once whatever the run would refuse, and that needs no samples.
        options.plan(pool.geometry(), arrivals.read(options.arrivals()));
        if (samples.countUpTo(pool.id(), 2) < 2) {
            throw conflict("The pool has fewer than 2 samples: there is nothing to simulate.");
        }
        pools.lock(poolName);
        int open = runs.findByPoolIdAndStateInOrderById(
                        pool.id(), EnumSet.of(EvaluationState.QUEUED, EvaluationState.RUNNING))
                .size();
        if (open >= maxOpen) {
            throw conflict("The pool has " + open + " evaluations that are not over yet; wait for them.");
        }
        Actor actor = Audit.actor(caller);
        EvaluationRun run = runs.saveAndFlush(
                new EvaluationRun(pool.id(), json.writeValueAsString(options), actor, clock.instant()));
        queue.add(run.id());
        EvaluationView view = EvaluationView.brief(poolName, run, json);
        audit.record(
                actor, "evaluation.request", poolName, "evaluation " + run.id(), Optional.empty(), Optional.of(view));
        return view;
    }

    /** The version that is asked for, or else the active one, if there is any. */
    private Optional<Artifact> artifact(Pool pool, Optional<Integer> version) {
        if (version.isPresent()) {
            return Optional.of(artifacts
                    .findByPoolIdAndVersion(pool.id(), version.get())
                    .orElseThrow(() -> Problems.exception(
                            ProblemType.NOT_FOUND,
                            "The pool '" + pool.name() + "' has no version " + version.get() + ".")));
        }
        return ledger.current(pool.id())
                .map(Activation::version)
                .flatMap(active -> artifacts.findByPoolIdAndVersion(pool.id(), active));
    }

    @Transactional(readOnly = true)
    public List<EvaluationView> newest(String poolName, int limit) {
        return runs.findByPoolIdOrderByIdDesc(pools.require(poolName).id(), Limit.of(limit)).stream()
                .map(run -> EvaluationView.brief(poolName, run, json))
                .toList();
    }

    @Transactional(readOnly = true)
    public EvaluationView one(String poolName, long id) {
        return runs.findByPoolIdAndId(pools.require(poolName).id(), id)
                .map(run -> EvaluationView.whole(poolName, run, json))
                .orElseThrow(() -> unknown(poolName, id));
    }

    /** Ends an evaluation that is not over: one that waits at once, one that runs at its next step, on whichever replica. */
    @Transactional
    public EvaluationView cancel(String poolName, long id, Caller caller) {
        Pool pool = pools.lock(poolName);
        EvaluationRun run =
                runs.lock(id).filter(found -> found.poolId() == pool.id()).orElseThrow(() -> unknown(poolName, id));
        if (run.isOver()) {
            throw conflict("Evaluation " + id + " is over already: " + run.state() + ".");
        }
        EvaluationView before = EvaluationView.brief(poolName, run, json);
        Actor actor = Audit.actor(caller);
        run.cancel("cancelled by " + actor.name(), clock.instant());
        EvaluationView after = EvaluationView.brief(poolName, runs.saveAndFlush(run), json);
        audit.record(actor, "evaluation.cancel", poolName, "evaluation " + id, Optional.of(before), Optional.of(after));
        return after;
    }

    private static RuntimeException unknown(String pool, long id) {
        return Problems.exception(ProblemType.NOT_FOUND, "The pool '" + pool + "' has no evaluation " + id + ".");
    }

    private static RuntimeException conflict(String detail) {
        return Problems.exception(ProblemType.CONFLICT, detail);
    }
}
