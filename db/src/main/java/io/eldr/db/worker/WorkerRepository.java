package io.eldr.db.worker;

import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Declared workers of a pool. */
public interface WorkerRepository extends Repository<Worker, Long> {
    Worker save(Worker worker);

    Worker saveAndFlush(Worker worker);

    void delete(Worker worker);

    Optional<Worker> findByPoolIdAndSlot(long poolId, String slot);

    /** All slots of a pool, by code point like every list of slots. */
    @Query(value = "select * from worker where pool_id = :poolId order by slot collate \"C\"", nativeQuery = true)
    List<Worker> findByPool(long poolId);
}
