package io.eldr.calibration.pool;

import io.eldr.db.refit.RefitSchedule;
import java.time.Instant;
import java.util.Optional;

/**
 * When a pool is refitted by itself.
 *
 * @param nextCron when its cron expression asks for a refit next
 */
record ScheduleView(
        Optional<String> cron,
        String zone,
        Optional<Integer> afterSamples,
        boolean onDrift,
        boolean onTopology,
        Optional<Instant> nextCron) {
    static ScheduleView of(RefitSchedule schedule) {
        return new ScheduleView(
                schedule.cron(),
                schedule.zone(),
                schedule.afterSamples().isPresent()
                        ? Optional.of(schedule.afterSamples().getAsInt())
                        : Optional.empty(),
                schedule.onDrift(),
                schedule.onTopology(),
                schedule.nextCron());
    }
}
