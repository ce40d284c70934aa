package io.eldr.db.router;

import java.util.List;
import org.springframework.data.repository.Repository;

/** What the routers run. */
public interface RouterPoolStatusRepository extends Repository<RouterPoolStatus, RouterPoolStatusKey> {
    List<RouterPoolStatus> findByPoolIdOrderByRouterId(long poolId);

    List<RouterPoolStatus> findByRouterIdOrderByPoolId(String routerId);
}
