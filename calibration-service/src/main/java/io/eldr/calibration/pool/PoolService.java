package io.eldr.calibration.pool;

import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.web.Fields;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.pool.Dialect;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolMode;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.service.access.Caller;
import io.eldr.service.access.Role;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.JsonNode;

/** Makes, changes and deletes pools. */
@Service
class PoolService {
    private final PoolRepository pools;
    private final PoolDirectory directory;
    private final RefitRunRepository refits;
    private final PoolSchedules schedules;
    private final Audit audit;
    private final InstantSource clock;

    PoolService(
            PoolRepository pools,
            PoolDirectory directory,
            RefitRunRepository refits,
            PoolSchedules schedules,
            Audit audit,
            InstantSource clock) {
        this.pools = pools;
        this.directory = directory;
        this.refits = refits;
        this.schedules = schedules;
        this.audit = audit;
        this.clock = clock;
    }

    @Transactional(readOnly = true)
    public List<PoolView> all() {
        return pools.findAll().stream().map(this::view).toList();
    }

    @Transactional(readOnly = true)
    public PoolView one(String name) {
        return view(directory.require(name));
    }

    private PoolView view(Pool pool) {
        return PoolView.of(pool, schedules.of(pool));
    }

    @Transactional
    public PoolView create(NewPool wanted, Caller caller) {
        Instant now = clock.instant();
        Pool pool = new Pool(
                Fields.required("name", wanted.name()),
                Fields.required("model", wanted.model()),
                wanted.revision(),
                wanted.geometry(),
                now);
        wanted.aliases().ifPresent(aliases -> pool.changeAliases(distinct("aliases", aliases), now));
        wanted.dialect().ifPresent(dialect -> pool.changeDialect(Dialect.of("dialect", dialect), now));
        wanted.engineModel().ifPresent(model -> pool.changeEngineModel(Optional.of(model), now));
        wanted.adapters().ifPresent(adapters -> pool.changeAdapters(distinct("adapters", adapters), now));
        wanted.policy()
                .ifPresent(policy ->
                        pool.changePolicy(PolicyName.of("policy", policy).id(), now));
        wanted.tau().ifPresent(tau -> pool.changeTau(tau.fixed(), now));
        wanted.minCandidates().ifPresent(count -> pool.changeMinCandidates(OptionalInt.of(count), now));
        PoolView view;
        try {
            view = view(pools.saveAndFlush(pool));
        } catch (DataIntegrityViolationException taken) {
            throw Problems.exception(ProblemType.CONFLICT, "There is a pool '" + pool.name() + "' already.");
        }
        audit.record(
                Audit.actor(caller),
                "pool.create",
                pool.name(),
                "pool " + pool.name(),
                Optional.empty(),
                Optional.of(view));
        return view;
    }

    @Transactional
    public PoolView change(String name, PoolChange change, Caller caller) {
        if (!caller.has(Role.ADMIN)) {
            change.firstForAdmins().ifPresent(field -> {
                throw Problems.exception(ProblemType.FORBIDDEN, "Only an admin may change " + field + " of a pool.");
            });
        }
        Pool pool = directory.lock(name);
        PoolView before = view(pool);
        Instant now = clock.instant();
        change.revision().ifPresent(revision -> pool.changeRevision(Optional.of(revision), now));
        change.aliases().ifPresent(aliases -> pool.changeAliases(distinct("aliases", aliases), now));
        change.dialect().ifPresent(dialect -> pool.changeDialect(Dialect.of("dialect", dialect), now));
        if (change.engineModel() != null) {
            pool.changeEngineModel(engineModel(change.engineModel()), now);
        }
        change.adapters().ifPresent(adapters -> pool.changeAdapters(distinct("adapters", adapters), now));
        change.policy()
                .ifPresent(policy ->
                        pool.changePolicy(PolicyName.of("policy", policy).id(), now));
        change.tau().ifPresent(tau -> pool.changeTau(tau.fixed(), now));
        if (change.minCandidates() != null) {
            pool.changeMinCandidates(WholeNumber.orNull("minCandidates", change.minCandidates()), now);
        }
        change.retention().ifPresent(retention -> pool.changeRetention(retention.applyTo(pool.retention()), now));
        change.sampling().ifPresent(sampling -> pool.changeSamplingRate(sampling.required(), now));
        if (change.hot() != null) {
            pool.changeHot(RoutingSettings.hot(change.hot()), now);
        }
        if (change.shadow() != null) {
            pool.changeShadow(RoutingSettings.shadow(change.shadow()), now);
        }
        if (change.switchback() != null) {
            pool.changeSwitchback(RoutingSettings.switchback(change.switchback()), now);
        }
        change.mode().ifPresent(mode -> pool.changeMode(Fields.oneOf("mode", mode, PoolMode.class), now));
        change.pinned().ifPresent(pinned -> {
            if (pinned) {
                pool.pin(now);
            } else {
                pool.unpin(now);
            }
        });
        change.schedule().ifPresent(schedule -> schedules.change(pool, schedule));
        PoolView after = view(pools.saveAndFlush(pool));
        audit.record(Audit.actor(caller), "pool.change", name, "pool " + name, Optional.of(before), Optional.of(after));
        return after;
    }

    /** Ends the pool and the refits that are open in it. Its history stays. */
    @Transactional
    public void delete(String name, Caller caller) {
        Pool pool = directory.lock(name);
        PoolView before = view(pool);
        Instant now = clock.instant();
        for (RefitRun open : refits.lockOpen(pool.id())) {
            open.cancel(Optional.of("the pool was deleted"), now);
            refits.save(open);
        }
        pool.delete(now);
        pools.saveAndFlush(pool);
        audit.record(Audit.actor(caller), "pool.delete", name, "pool " + name, Optional.of(before), Optional.empty());
    }

    private static Optional<String> engineModel(JsonNode value) {
        if (value.isNull()) {
            return Optional.empty();
        }
        if (!value.isString()) {
            throw new InvalidInputException("engineModel", "must be a string or null");
        }
        return Optional.of(value.stringValue());
    }

    private static List<String> distinct(String field, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (@Nullable String name : names) {
            if (name == null || !seen.add(name)) {
                throw new InvalidInputException(field, "must be distinct texts");
            }
        }
        return List.copyOf(names);
    }
}
