package io.eldr.calibration.pool;

import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolRepository;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Finds the pool that a path names. */
@Component
public class PoolDirectory {
    private final PoolRepository pools;

    PoolDirectory(PoolRepository pools) {
        this.pools = pools;
    }

    /** @throws org.springframework.web.ErrorResponseException 404 if there is no such pool */
    @Transactional(readOnly = true)
    public Pool require(String name) {
        return pools.findByName(name)
                .orElseThrow(() -> Problems.exception(ProblemType.NOT_FOUND, "There is no pool of this name."));
    }

    /**
     * The pool, whose lock is held until the end of the transaction: whoever changes something in a pool does it alone.
     *
     * @throws org.springframework.web.ErrorResponseException 404 if there is no such pool
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public Pool lock(String name) {
        Pool pool = require(name);
        if (pools.lock(pool.id()).isEmpty()) {
            throw Problems.exception(ProblemType.NOT_FOUND, "The pool was deleted just now.");
        }
        return pool;
    }
}
