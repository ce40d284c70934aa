package io.eldr.calibration.refit;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.calibration.pool.PoolSlots;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.refit.RefitSchedule;
import io.eldr.db.refit.RefitScheduleRepository;
import io.eldr.db.refit.RefitTrigger;
import io.eldr.db.sample.NewSamples;
import io.eldr.db.sample.SampleStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Where everything that wants a refit by itself asks for it: schedules, drift, and routers that see other decoders. It never
 * fits a pinned pool, nor what its schedule switches off, nor what there is not enough of; and one open refit is enough for
 * any number of wishes.
 */
@Service
public class RefitRequests {
    private static final Logger log = LoggerFactory.getLogger(RefitRequests.class);

    private final PoolDirectory pools;
    private final PoolSlots slots;
    private final SampleStore samples;
    private final NewSamples newSamples;
    private final RefitRunRepository runs;
    private final RefitScheduleRepository schedules;
    private final ActiveVersions versions;
    private final RefitWriter writer;
    private final RefitViews views;
    private final int maxOpen;

    RefitRequests(
            PoolDirectory pools,
            PoolSlots slots,
            SampleStore samples,
            NewSamples newSamples,
            RefitRunRepository runs,
            RefitScheduleRepository schedules,
            ActiveVersions versions,
            RefitWriter writer,
            RefitViews views,
            CalibrationProperties properties) {
        this.pools = pools;
        this.slots = slots;
        this.samples = samples;
        this.newSamples = newSamples;
        this.runs = runs;
        this.schedules = schedules;
        this.versions = versions;
        this.writer = writer;
        this.views = views;
        this.maxOpen = properties.refit().maxOpen();
    }

    /**
     * Asks for a refit with the default options, in the caller's transaction where there is one.
     *
     * @param trigger anything but {@link RefitTrigger#MANUAL}
     * @param actor who asks: a part of the system or a token's name
     * @param why in words, for the refit's view and the audit log, 1 to {@value RefitRun#MAX_CAUSE} characters
     * @return the refit that was queued; empty if one is open already, or was the last thing tried for the same decoders, or
     *     if the pool is pinned, its schedule does not want this trigger, or there is too little to fit
     * @throws org.springframework.web.ErrorResponseException 404 if there is no such pool
     */
    @Transactional
    public Optional<RefitView> request(String pool, RefitTrigger trigger, Actor actor, String why) {
        return ask(pool, trigger, actor, why) instanceof Asked.Queued(RefitView refit)
                ? Optional.of(refit)
                : Optional.empty();
    }

    /** The same for who has to know more. */
    @Transactional
    Asked ask(String poolName, RefitTrigger trigger, Actor actor, String why) {
        Pool pool = pools.lock(poolName);
        if (pool.pinned()) {
            return new Asked.Declined("The pool is pinned: it is refitted by hand only.");
        }
        if (!isWanted(trigger, schedules.of(pool.id()))) {
            return new Asked.Declined("The schedule of the pool does not want refits by this trigger.");
        }
        List<RefitRun> open = runs.lockOpen(pool.id());
        Optional<RefitRun> serving = open.stream()
                // A refit that began for other reasons may have begun for other decoders.
                .filter(run -> trigger != RefitTrigger.TOPOLOGY || run.trigger() == RefitTrigger.TOPOLOGY)
                .findFirst();
        if (serving.isPresent()) {
            return new Asked.Open(views.brief(poolName, serving.get()));
        }
        if (open.size() >= maxOpen) {
            return new Asked.Declined("The pool has " + open.size() + " refits that are not over yet.");
        }
        List<String> decoders = slots.decoders(pool.id());
        if (decoders.isEmpty() || samples.countUpTo(pool.id(), decoders.size()) < decoders.size()) {
            return new Asked.Declined("The pool has no decoders, or fewer samples than decoders.");
        }
        if (trigger == RefitTrigger.TOPOLOGY) {
            Optional<Asked> done = done(pool, decoders);
            if (done.isPresent()) {
                return done.get();
            }
        }
        RefitRun run = writer.write(
                pool,
                trigger,
                Optional.of(why),
                // Known already, so that one that is cancelled before it runs is not asked for again at once.
                trigger == RefitTrigger.TOPOLOGY ? decoders : List.of(),
                trigger == RefitTrigger.SAMPLES ? newSamples.newest(pool.id()) : OptionalLong.empty(),
                actor);
        log.info("Refit {} of pool {} was asked for by {}: {}", run.id(), poolName, actor.name(), why);
        return new Asked.Queued(views.brief(poolName, run));
    }

    private static boolean isWanted(RefitTrigger trigger, RefitSchedule schedule) {
        return switch (trigger) {
            case DRIFT -> schedule.onDrift();
            case TOPOLOGY -> schedule.onTopology();
            case CRON, SAMPLES -> true;
            case MANUAL -> throw new IllegalArgumentException("a refit by hand is asked for over the API");
        };
    }

    /** Whether a refit for these decoders would change nothing, or was the last thing tried. */
    private Optional<Asked> done(Pool pool, List<String> decoders) {
        Optional<RefitRun> last = runs.findWithSlots(pool.id(), Limit.of(1)).stream()
                .filter(run -> Set.copyOf(run.slots()).equals(Set.copyOf(decoders)))
                .findFirst();
        if (last.isPresent()) {
            return Optional.of(new Asked.Done(views.brief(pool.name(), last.get())));
        }
        return Set.copyOf(versions.slots(pool.id())).equals(Set.copyOf(decoders))
                ? Optional.of(new Asked.Declined("The active version has clusters for just these decoders."))
                : Optional.empty();
    }
}
