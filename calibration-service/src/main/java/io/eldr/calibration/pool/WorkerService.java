package io.eldr.calibration.pool;

import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.web.Fields;
import io.eldr.db.pool.Pool;
import io.eldr.db.worker.Worker;
import io.eldr.db.worker.WorkerRepository;
import io.eldr.db.worker.WorkerSource;
import io.eldr.service.access.Caller;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Declares, drains and removes the workers of a pool. */
@Service
class WorkerService {
    private final WorkerRepository workers;
    private final PoolDirectory pools;
    private final Audit audit;
    private final InstantSource clock;

    WorkerService(WorkerRepository workers, PoolDirectory pools, Audit audit, InstantSource clock) {
        this.workers = workers;
        this.pools = pools;
        this.audit = audit;
        this.clock = clock;
    }

    /** @param created false if the slot was declared before */
    record Declared(WorkerView worker, boolean created) {}

    @Transactional(readOnly = true)
    public List<WorkerView> all(String pool) {
        return workers.findByPool(pools.require(pool).id()).stream()
                .map(WorkerView::of)
                .toList();
    }

    @Transactional
    public Declared declare(String poolName, String slot, WorkerDeclaration declaration, Caller caller) {
        Pool pool = pools.lock(poolName);
        Fields.name("slot", slot);
        var spec = declaration.spec();
        Instant now = clock.instant();
        Optional<Worker> known = workers.findByPoolIdAndSlot(pool.id(), slot);
        Optional<WorkerView> before = known.map(WorkerView::of);
        Worker worker;
        if (known.isPresent()) {
            worker = known.get();
            worker.redeclare(spec, WorkerSource.REGISTERED, now);
        } else {
            worker = new Worker(pool.id(), slot, spec, WorkerSource.REGISTERED, now);
        }
        WorkerView after = WorkerView.of(workers.saveAndFlush(worker));
        audit.record(Audit.actor(caller), "worker.declare", poolName, "worker " + slot, before, Optional.of(after));
        return new Declared(after, before.isEmpty());
    }

    @Transactional
    public WorkerView drain(String pool, String slot, Caller caller) {
        return change(pool, slot, caller, "worker.drain", Worker::drain);
    }

    @Transactional
    public WorkerView resume(String pool, String slot, Caller caller) {
        return change(pool, slot, caller, "worker.resume", Worker::resume);
    }

    private WorkerView change(
            String poolName, String slot, Caller caller, String action, BiConsumer<Worker, Instant> change) {
        Worker worker = require(pools.lock(poolName), slot);
        WorkerView before = WorkerView.of(worker);
        change.accept(worker, clock.instant());
        WorkerView after = WorkerView.of(workers.saveAndFlush(worker));
        audit.record(Audit.actor(caller), action, poolName, "worker " + slot, Optional.of(before), Optional.of(after));
        return after;
    }

    @Transactional
    public void remove(String poolName, String slot, Caller caller) {
        Worker worker = require(pools.lock(poolName), slot);
        workers.delete(worker);
        audit.record(
                Audit.actor(caller),
                "worker.remove",
                poolName,
                "worker " + slot,
                Optional.of(WorkerView.of(worker)),
                Optional.empty());
    }

    private Worker require(Pool pool, String slot) {
        return workers.findByPoolIdAndSlot(pool.id(), slot)
                .orElseThrow(() -> Problems.exception(
                        ProblemType.NOT_FOUND, "The pool '" + pool.name() + "' has no such worker."));
    }
}
