package io.eldr.calibration.pool;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.DeclaredPool;
import io.eldr.calibration.DeclaredPool.DeclaredWorker;
import io.eldr.calibration.schema.RegistryDependent;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.service.access.Caller;
import io.eldr.service.access.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponseException;

/**
 * Makes the pools that configuration declares, once the registry is there. Several replicas may do so at once. A pool that
 * cannot be made is left out with the reason, and the others are made.
 */
@Component
class DeclaredPools implements RegistryDependent {
    private static final Logger log = LoggerFactory.getLogger(DeclaredPools.class);
    /** What audit rows name as the actor. */
    private static final Caller CONFIGURATION =
            new Caller("configuration", Role.ADMIN.withIncluded(), false, Optional.empty());

    private final List<DeclaredPool> declared;
    private final PoolService pools;
    private final WorkerService workers;

    @Autowired
    DeclaredPools(CalibrationProperties properties, PoolService pools, WorkerService workers) {
        this(properties.pools(), pools, workers);
    }

    DeclaredPools(List<DeclaredPool> declared, PoolService pools, WorkerService workers) {
        this.declared = declared;
        this.pools = pools;
        this.workers = workers;
    }

    @Override
    public void registryIsThere() {
        for (DeclaredPool pool : declared) {
            try {
                make(pool);
            } catch (InvalidInputException e) {
                log.error("The declared pool {} is not made: {}", pool.name(), e.getMessage());
            } catch (ErrorResponseException e) {
                log.error(
                        "The declared pool {} is not made: {}",
                        pool.name(),
                        e.getBody().getDetail());
            } catch (DataAccessException | TransactionException e) {
                log.error("The declared pool {} is not made; the next start tries again", pool.name(), e);
            }
        }
    }

    private void make(DeclaredPool wanted) {
        Optional<PoolView> present = find(wanted.name());
        if (present.isEmpty()) {
            create(wanted);
        } else if (!isOf(present.get(), wanted)) {
            log.error(
                    "The declared pool {} is another one than the pool of this name, which has model {} with {} layers"
                            + " of {} experts, {} at a time: nothing is changed",
                    wanted.name(),
                    present.get().model(),
                    present.get().layers(),
                    present.get().experts(),
                    present.get().topK());
            return;
        }
        Map<String, WorkerView> known =
                workers.all(wanted.name()).stream().collect(Collectors.toMap(WorkerView::slot, Function.identity()));
        wanted.workers().forEach(worker -> place(wanted.name(), worker, Optional.ofNullable(known.get(worker.slot()))));
    }

    private Optional<PoolView> find(String name) {
        return pools.all().stream().filter(pool -> pool.name().equals(name)).findFirst();
    }

    private void create(DeclaredPool wanted) {
        NewPool pool = new NewPool(
                Optional.of(wanted.name()),
                Optional.of(wanted.model()),
                wanted.revisionIfAny(),
                Optional.of(wanted.layers()),
                Optional.of(wanted.experts()),
                Optional.of(wanted.topK()),
                Optional.of(wanted.aliases()),
                wanted.dialectIfAny(),
                wanted.engineModelIfAny(),
                Optional.of(wanted.adapters()),
                wanted.policyIfAny(),
                Optional.empty(),
                Optional.empty());
        try {
            pools.create(pool, CONFIGURATION);
            log.info("Made the declared pool {}", wanted.name());
        } catch (ErrorResponseException e) {
            // Another replica was first.
            if (find(wanted.name()).isEmpty()) {
                throw e;
            }
        }
    }

    private static boolean isOf(PoolView present, DeclaredPool wanted) {
        return present.model().equals(wanted.model())
                && present.layers() == wanted.layers()
                && present.experts() == wanted.experts()
                && present.topK() == wanted.topK();
    }

    private void place(String pool, DeclaredWorker wanted, Optional<WorkerView> known) {
        boolean same = known.filter(worker -> worker.url().equals(wanted.url())
                        && worker.role().equals(wanted.role())
                        && worker.probe().equals(wanted.probe()))
                .isPresent();
        if (same) {
            return;
        }
        WorkerDeclaration declaration = new WorkerDeclaration(
                Optional.of(wanted.role()),
                Optional.of(wanted.url()),
                known.map(WorkerView::weight),
                known.flatMap(WorkerView::maxInFlight),
                Optional.of(wanted.probe()),
                known.flatMap(WorkerView::revision));
        workers.declare(pool, wanted.slot(), declaration, CONFIGURATION);
        log.info("Declared worker {} of pool {} at {}", wanted.slot(), pool, wanted.url());
    }
}
