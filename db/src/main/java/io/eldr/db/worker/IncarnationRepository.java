package io.eldr.db.worker;

import java.time.Instant;
import java.util.List;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** What routers have seen of a pool's slots. */
public interface IncarnationRepository extends Repository<Incarnation, IncarnationKey> {
    /** The incarnations that some router saw at or after {@code since}, by slot, newest first within one. */
    @Query("select i from Incarnation i where i.poolId = :poolId and i.lastSeen >= :since"
            + " order by i.slot, i.lastSeen desc, i.uid")
    List<Incarnation> findSeenSince(long poolId, Instant since);
}
