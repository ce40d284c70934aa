package io.eldr.db.refit;

import java.util.Optional;
import org.springframework.data.repository.Repository;

/** The schedules of the pools that have one of their own. */
public interface RefitScheduleRepository extends Repository<RefitSchedule, Long> {
    RefitSchedule saveAndFlush(RefitSchedule schedule);

    Optional<RefitSchedule> findById(long poolId);

    /** A pool's schedule, or the default one, not saved yet. */
    default RefitSchedule of(long poolId) {
        return findById(poolId).orElseGet(() -> new RefitSchedule(poolId));
    }
}
