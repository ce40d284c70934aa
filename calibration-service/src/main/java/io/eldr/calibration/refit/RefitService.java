package io.eldr.calibration.refit;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.calibration.pool.PoolSlots;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.pool.Pool;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.refit.RefitTrigger;
import io.eldr.db.sample.SampleStore;
import io.eldr.service.access.Caller;
import io.eldr.service.access.Role;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes wishes for refits and says what became of them. */
@Service
class RefitService {
    private static final String MANUAL = "manual";
    private static final String TOPOLOGY = "topology";

    private final PoolDirectory pools;
    private final PoolSlots slots;
    private final SampleStore samples;
    private final RefitRunRepository runs;
    private final RefitWriter writer;
    private final RefitRequests requests;
    private final RefitViews views;
    private final int maxOpen;

    RefitService(
            PoolDirectory pools,
            PoolSlots slots,
            SampleStore samples,
            RefitRunRepository runs,
            RefitWriter writer,
            RefitRequests requests,
            RefitViews views,
            CalibrationProperties properties) {
        this.pools = pools;
        this.slots = slots;
        this.samples = samples;
        this.runs = runs;
        this.writer = writer;
        this.requests = requests;
        this.views = views;
        this.maxOpen = properties.refit().maxOpen();
    }

    /** @param over whether the refit that serves the wish had run before */
    record Result(RefitView refit, boolean over) {}

    @Transactional
    public Result request(String poolName, RefitRequest request, Caller caller) {
        return switch (request.trigger().orElse(MANUAL)) {
            case MANUAL -> new Result(manual(poolName, request, caller), false);
            case TOPOLOGY -> topology(poolName, request, caller);
            case String other ->
                throw new InvalidInputException("trigger", "must be manual or topology but is '" + other + "'");
        };
    }

    private RefitView manual(String poolName, RefitRequest request, Caller caller) {
        require(caller, Role.OPERATOR, "Only an operator may ask for a refit by hand.");
        boolean force = request.force().orElse(false);
        if (force) {
            require(caller, Role.ADMIN, "Only an admin may set force.");
        }
        Pool seen = pools.require(poolName);
        RefitOptions options = RefitOptions.of(request, seen.geometry().layers());
        // Before the lock: the fit looks again.
        requireSomethingToFit(seen, options);
        Pool pool = pools.lock(poolName);
        requireRoom(pool);
        return views.brief(poolName, writer.write(pool, options, force, Audit.actor(caller)));
    }

    private Result topology(String poolName, RefitRequest request, Caller caller) {
        request.firstOption().ifPresent(option -> {
            throw new InvalidInputException(option, "is for refits by hand only");
        });
        return switch (requests.ask(
                poolName, RefitTrigger.TOPOLOGY, Audit.actor(caller), "a router saw other decoders")) {
            case Asked.Queued(RefitView refit) -> new Result(refit, false);
            case Asked.Open(RefitView refit) -> new Result(refit, false);
            case Asked.Done(RefitView refit) -> new Result(refit, true);
            case Asked.Declined(String why) -> throw conflict(why);
        };
    }

    private static void require(Caller caller, Role role, String otherwise) {
        if (!caller.has(role)) {
            throw Problems.exception(ProblemType.FORBIDDEN, otherwise);
        }
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
        int open = runs.lockOpen(pool.id()).size();
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
                .map(run -> views.brief(poolName, run))
                .toList();
    }

    @Transactional(readOnly = true)
    public RefitView one(String poolName, long id) {
        return runs.findByPoolIdAndId(pools.require(poolName).id(), id)
                .map(run -> views.whole(poolName, run))
                .orElseThrow(() -> unknown(poolName, id));
    }

    static RuntimeException unknown(String pool, long id) {
        return Problems.exception(ProblemType.NOT_FOUND, "The pool '" + pool + "' has no refit " + id + ".");
    }
}
