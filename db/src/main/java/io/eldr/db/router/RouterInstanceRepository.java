package io.eldr.db.router;

import java.time.Instant;
import java.util.List;
import org.springframework.data.repository.Repository;

/** Routers by their heartbeat. */
public interface RouterInstanceRepository extends Repository<RouterInstance, String> {
    List<RouterInstance> findByLastSeenGreaterThanEqualOrderById(Instant since);
}
