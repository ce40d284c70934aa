package io.eldr.db.pool;

import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Pools by name. Deleted ones are found by their key only. */
public interface PoolRepository extends Repository<Pool, Long> {
    Pool save(Pool pool);

    Pool saveAndFlush(Pool pool);

    Optional<Pool> findById(long id);

    @Query("select p from Pool p where p.name = :name and p.deletedAt is null")
    Optional<Pool> findByName(String name);

    @Query("select p from Pool p where p.deletedAt is null order by p.name")
    List<Pool> findAll();

    /**
     * Takes the pool's lock until the end of the transaction: whoever numbers something within a pool holds it. Rows that
     * refer to the pool can still be added meanwhile.
     *
     * @return the pool's name, empty if there is no such live pool
     */
    @Query(value = "select name from pool where id = :id and deleted_at is null for no key update", nativeQuery = true)
    Optional<String> lock(long id);
}
