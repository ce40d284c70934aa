package io.eldr.calibration.pool;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.pool.Pool;
import io.eldr.db.refit.RefitSchedule;
import io.eldr.db.refit.RefitScheduleRepository;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.JsonNode;

/** When pools are refitted by themselves, as operators set it. */
@Component
class PoolSchedules {
    private final RefitScheduleRepository schedules;
    private final InstantSource clock;

    PoolSchedules(RefitScheduleRepository schedules, InstantSource clock) {
        this.schedules = schedules;
        this.clock = clock;
    }

    ScheduleView of(Pool pool) {
        return ScheduleView.of(schedules.of(pool.id()));
    }

    /**
     * Changes the schedule of a pool whose lock is held.
     *
     * @throws InvalidInputException naming the field below {@code schedule} that is refused
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void change(Pool pool, ScheduleChange change) {
        RefitSchedule schedule = schedules.of(pool.id());
        if (change.cron() != null || change.zone().isPresent()) {
            schedule.changeTimes(
                    change.cron() == null ? schedule.cron() : cron(change.cron()),
                    change.zone().orElse(schedule.zone()),
                    clock.instant());
        }
        if (change.afterSamples() != null) {
            schedule.changeAfterSamples(afterSamples(change.afterSamples()));
        }
        change.onDrift().ifPresent(schedule::changeOnDrift);
        change.onTopology().ifPresent(schedule::changeOnTopology);
        schedules.saveAndFlush(schedule);
    }

    private static Optional<String> cron(JsonNode value) {
        if (value.isNull()) {
            return Optional.empty();
        }
        if (!value.isString()) {
            throw new InvalidInputException("schedule.cron", "must be a cron expression or null");
        }
        return Optional.of(value.stringValue());
    }

    private static OptionalInt afterSamples(JsonNode value) {
        if (value.isNull()) {
            return OptionalInt.empty();
        }
        if (!value.isInt()) {
            throw new InvalidInputException("schedule.afterSamples", "must be a whole number or null");
        }
        return OptionalInt.of(value.intValue());
    }
}
