package io.eldr.db.evaluation;

import jakarta.persistence.LockModeType;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Evaluations of a pool. Whoever moves one on locks its row first, after the pool's lock where it needs both. */
public interface EvaluationRunRepository extends Repository<EvaluationRun, Long> {
    EvaluationRun saveAndFlush(EvaluationRun run);

    List<EvaluationRun> findByIdIn(Collection<Long> ids);

    @Query("select r.poolId from EvaluationRun r where r.id = :id")
    Optional<Long> poolOf(long id);

    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select r from EvaluationRun r where r.id = :id")
    Optional<EvaluationRun> lock(long id);

    Optional<EvaluationRun> findByPoolIdAndId(long poolId, long id);

    List<EvaluationRun> findByPoolIdOrderByIdDesc(long poolId, Limit limit);

    List<EvaluationRun> findByPoolIdAndStateInOrderById(long poolId, Collection<EvaluationState> states);
}
