package io.eldr.db.refit;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.repository.Repository;

/** Refits of a pool, and those that are not over. */
public interface RefitRunRepository extends Repository<RefitRun, Long> {
    RefitRun save(RefitRun run);

    RefitRun saveAndFlush(RefitRun run);

    Optional<RefitRun> findById(long id);

    Optional<RefitRun> findByPoolIdAndId(long poolId, long id);

    List<RefitRun> findByPoolIdOrderByIdDesc(long poolId, Limit limit);

    List<RefitRun> findByPoolIdAndStateInOrderById(long poolId, Collection<RefitState> states);

    List<RefitRun> findByStateInOrderById(Collection<RefitState> states);

    /** The refit that made a version; empty for an imported one. */
    Optional<RefitRun> findByPoolIdAndVersion(long poolId, int version);
}
