package io.eldr.db.refit;

import jakarta.persistence.LockModeType;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/**
 * Refits of a pool, and those that are not over. Whoever moves a refit on locks its row first, after the pool's lock where it
 * needs both: so a cancellation and the end of a refit never pass each other.
 */
public interface RefitRunRepository extends Repository<RefitRun, Long> {
    RefitRun save(RefitRun run);

    RefitRun saveAndFlush(RefitRun run);

    Optional<RefitRun> findById(long id);

    List<RefitRun> findByIdIn(Collection<Long> ids);

    @Query("select r.poolId from RefitRun r where r.id = :id")
    Optional<Long> poolOf(long id);

    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select r from RefitRun r where r.id = :id")
    Optional<RefitRun> lock(long id);

    @Lock(LockModeType.PESSIMISTIC_WRITE)
    @Query("select r from RefitRun r where r.poolId = :poolId and r.state in (QUEUED, RUNNING) order by r.id")
    List<RefitRun> lockOpen(long poolId);

    Optional<RefitRun> findByPoolIdAndId(long poolId, long id);

    List<RefitRun> findByPoolIdOrderByIdDesc(long poolId, Limit limit);

    List<RefitRun> findByPoolIdAndStateInOrderById(long poolId, Collection<RefitState> states);

    List<RefitRun> findByStateInOrderById(Collection<RefitState> states);

    /** The refit that made a version; empty for an imported one. */
    Optional<RefitRun> findByPoolIdAndVersion(long poolId, int version);

    /** The last refit that read samples. */
    Optional<RefitRun> findFirstByPoolIdAndNewestSampleNotNullOrderByIdDesc(long poolId);

    /** The last refit of a state that had these inputs. */
    Optional<RefitRun> findFirstByPoolIdAndStateAndInputFingerprintOrderByIdDesc(
            long poolId, RefitState state, byte[] inputFingerprint);

    /** Refits that made clusters for decoders, or tried to because the decoders changed; newest first. */
    @Query("select r from RefitRun r where r.poolId = :poolId and r.slots is not null"
            + " and (r.state = SUCCEEDED or r.trigger = TOPOLOGY) order by r.id desc")
    List<RefitRun> findWithSlots(long poolId, Limit limit);
}
