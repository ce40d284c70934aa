package io.eldr.calibration.refit;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.calibration.pool.PoolSlots;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.refit.RefitSchedule;
import io.eldr.db.refit.RefitScheduleRepository;
import io.eldr.db.refit.RefitTrigger;
import io.eldr.db.sample.NewSamples;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Asks for the refits of a pool that are due by its schedule. An occasion is taken in the transaction that asks, under the
 * pool's lock: however many replicas look, it gives one refit.
 */
@Component
class ScheduledRefits {
    /** Who asks. */
    static final Actor SCHEDULE = Actor.of("schedule");
    /** So many signatures of live traffic per decoder are enough for a pool's first version. */
    private static final int LIVE_PER_DECODER = 150;
    /** Live samples are looked for among so many times as many of the newest. */
    private static final int LIVE_WITHIN = 4;

    private final PoolDirectory pools;
    private final PoolSlots slots;
    private final RefitScheduleRepository schedules;
    private final RefitRunRepository runs;
    private final NewSamples samples;
    private final ActiveVersions versions;
    private final RefitRequests requests;
    private final InstantSource clock;
    private final Duration quietTime;

    ScheduledRefits(
            PoolDirectory pools,
            PoolSlots slots,
            RefitScheduleRepository schedules,
            RefitRunRepository runs,
            NewSamples samples,
            ActiveVersions versions,
            RefitRequests requests,
            InstantSource clock,
            CalibrationProperties properties) {
        this.pools = pools;
        this.slots = slots;
        this.schedules = schedules;
        this.runs = runs;
        this.samples = samples;
        this.versions = versions;
        this.requests = requests;
        this.clock = clock;
        this.quietTime = properties.refit().topologyQuietTime();
    }

    @Transactional
    public void look(String poolName) {
        Pool pool = pools.lock(poolName);
        RefitSchedule schedule = schedules.of(pool.id());
        Instant now = clock.instant();
        boolean changed = topology(pool, schedule, now);
        changed |= cron(pool, schedule, now);
        if (changed) {
            schedules.saveAndFlush(schedule);
        }
        samples(pool, schedule);
    }

    /** Times that passed while nobody looked, or while a refit was open, are made up for once. */
    private boolean cron(Pool pool, RefitSchedule schedule, Instant now) {
        if (!schedule.isDue(now)) {
            return false;
        }
        String why = "cron " + schedule.cron().orElseThrow();
        if (requests.ask(pool.name(), RefitTrigger.CRON, SCHEDULE, why) instanceof Asked.Open) {
            return false;
        }
        schedule.takeTurn(now);
        return true;
    }

    private void samples(Pool pool, RefitSchedule schedule) {
        var last = runs.findFirstByPoolIdAndNewestSampleNotNullOrderByIdDesc(pool.id());
        if (schedule.afterSamples().isPresent()) {
            int wanted = schedule.afterSamples().getAsInt();
            long read = last.map(run -> run.newestSample().orElseThrow()).orElse(0L);
            if (samples.countUpTo(pool.id(), read, wanted) >= wanted) {
                requests.ask(pool.name(), RefitTrigger.SAMPLES, SCHEDULE, wanted + " new samples");
            }
        } else if (last.isEmpty() && versions.none(pool.id())) {
            first(pool);
        }
    }

    /** Live traffic makes a pool's first version by itself. */
    private void first(Pool pool) {
        int wanted = LIVE_PER_DECODER * slots.decoders(pool.id()).size();
        if (wanted > 0 && samples.onlineAmongNewest(pool.id(), LIVE_WITHIN * wanted) >= wanted) {
            requests.ask(pool.name(), RefitTrigger.SAMPLES, SCHEDULE, "the first " + wanted + " live samples");
        }
    }

    /** @return whether the schedule changed */
    private boolean topology(Pool pool, RefitSchedule schedule, Instant now) {
        List<String> active = versions.slots(pool.id());
        List<String> decoders = slots.decoders(pool.id());
        boolean differ = schedule.onTopology()
                && !active.isEmpty()
                && !decoders.isEmpty()
                && !Set.copyOf(active).equals(Set.copyOf(decoders));
        if (!differ) {
            boolean differed = schedule.seenSince().isPresent();
            schedule.agree();
            return differed;
        }
        boolean fresh = schedule.differ(decoders, now);
        if (!now.isBefore(schedule.seenSince().orElseThrow().plus(quietTime))) {
            requests.ask(pool.name(), RefitTrigger.TOPOLOGY, SCHEDULE, change(active, decoders));
        }
        return fresh;
    }

    private static String change(List<String> active, List<String> decoders) {
        long gone = active.stream().filter(slot -> !decoders.contains(slot)).count();
        long come = decoders.stream().filter(slot -> !active.contains(slot)).count();
        return come + " decoders came and " + gone + " went";
    }
}
