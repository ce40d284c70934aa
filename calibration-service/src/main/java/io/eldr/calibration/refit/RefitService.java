package io.eldr.calibration.refit;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.calibration.pool.PoolSlots;
import io.eldr.db.pool.Pool;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.refit.RefitState;
import io.eldr.db.refit.RefitTrigger;
import io.eldr.db.sample.SampleStore;
import io.eldr.service.access.Caller;
import io.eldr.service.access.Role;
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

/** Takes wishes for refits and says what became of them. */
@Service
class RefitService {
    private final PoolDirectory pools;
    private final PoolSlots slots;
    private final SampleStore samples;
    private final RefitRunRepository runs;
    private final RefitQueue queue;
    private final Audit audit;
    private final InstantSource clock;
    private final JsonMapper json;
    private final int maxOpen;

    RefitService(
            PoolDirectory pools,
            PoolSlots slots,
            SampleStore samples,
            RefitRunRepository runs,
            RefitQueue queue,
            Audit audit,
            InstantSource clock,
            JsonMapper json,
            CalibrationProperties properties) {
        this.pools = pools;
        this.slots = slots;
        this.samples = samples;
        this.runs = runs;
        this.queue = queue;
        this.audit = audit;
        this.clock = clock;
        this.json = json;
        this.maxOpen = properties.refit().maxOpen();
    }

    /** Writes the wish down and queues it, both or neither. */
    @Transactional
    public RefitView request(String poolName, RefitRequest request, Caller caller) {
        boolean force = request.force().orElse(false);
        if (force && !caller.has(Role.ADMIN)) {
            throw Problems.exception(ProblemType.FORBIDDEN, "Only an admin may set force.");
        }
        Pool seen = pools.require(poolName);
        RefitOptions options = RefitOptions.of(request, seen.geometry().layers());
        // Before the lock: the fit looks again.
        requireSomethingToFit(seen, options);
        Pool pool = pools.lock(poolName);
        requireRoom(pool);
        RefitRun run = runs.saveAndFlush(new RefitRun(
                pool.id(),
                RefitTrigger.MANUAL,
                force,
                json.writeValueAsString(options),
                Audit.actor(caller),
                clock.instant()));
        queue.add(run.id());
        RefitView view = RefitView.brief(poolName, run, json);
        audit.record(
                Audit.actor(caller),
                "refit.request",
                poolName,
                "refit " + run.id(),
                Optional.empty(),
                Optional.of(view));
        return view;
    }

    private void requireSomethingToFit(Pool pool, RefitOptions options) {
        int decoders = slots.decoders(pool.id()).size();
        if (decoders == 0) {
            throw conflict("The pool has no decoders: declare workers with role decode first.");
        }
        options.calibration(decoders, pool.geometry().layers());
        int count = samples.countUpTo(pool.id(), decoders);
        if (count < decoders) {
            throw conflict("The pool has " + count + " samples, but a refit for " + decoders
                    + " decoders needs at least that many.");
        }
    }

    private void requireRoom(Pool pool) {
        int open = runs.findByPoolIdAndStateInOrderById(pool.id(), EnumSet.of(RefitState.QUEUED, RefitState.RUNNING))
                .size();
        if (open >= maxOpen) {
            throw conflict("The pool has " + open + " refits that are not over yet; wait for them.");
        }
    }

    private static RuntimeException conflict(String detail) {
        return Problems.exception(ProblemType.CONFLICT, detail);
    }

    @Transactional(readOnly = true)
    public List<RefitView> newest(String poolName, int limit) {
        return runs.findByPoolIdOrderByIdDesc(pools.require(poolName).id(), Limit.of(limit)).stream()
                .map(run -> RefitView.brief(poolName, run, json))
                .toList();
    }

    @Transactional(readOnly = true)
    public RefitView one(String poolName, long id) {
        return runs.findByPoolIdAndId(pools.require(poolName).id(), id)
                .map(run -> RefitView.whole(poolName, run, json))
                .orElseThrow(() -> Problems.exception(
                        ProblemType.NOT_FOUND, "The pool '" + poolName + "' has no refit " + id + "."));
    }
}
