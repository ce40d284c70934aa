package io.eldr.calibration.refit;

import io.eldr.calibration.audit.Audit;
import io.eldr.db.audit.Actor;
import io.eldr.db.pool.Pool;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import io.eldr.db.refit.RefitTrigger;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Writes the wish for a refit down, queues it and audits it: all of it or nothing. */
@Component
class RefitWriter {
    private final RefitRunRepository runs;
    private final RefitQueue queue;
    private final RefitViews views;
    private final Audit audit;
    private final InstantSource clock;
    private final JsonMapper json;

    RefitWriter(
            RefitRunRepository runs,
            RefitQueue queue,
            RefitViews views,
            Audit audit,
            InstantSource clock,
            JsonMapper json) {
        this.runs = runs;
        this.queue = queue;
        this.views = views;
        this.audit = audit;
        this.clock = clock;
        this.json = json;
    }

    /** One that somebody asked for by hand. */
    @Transactional(propagation = Propagation.MANDATORY)
    public RefitRun write(Pool pool, RefitOptions options, boolean force, Actor actor) {
        return write(
                pool,
                new RefitRun(
                        pool.id(),
                        RefitTrigger.MANUAL,
                        force,
                        json.writeValueAsString(options),
                        actor,
                        clock.instant()),
                actor);
    }

    /**
     * One with the default options.
     *
     * @param decoders for which it is asked; empty where it takes those that there are when it runs
     * @param newestSample up to which it is asked for; empty where it takes those that there are when it runs
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public RefitRun write(
            Pool pool,
            RefitTrigger trigger,
            Optional<String> why,
            List<String> decoders,
            OptionalLong newestSample,
            Actor actor) {
        RefitOptions options =
                RefitOptions.of(RefitRequest.EMPTY, pool.geometry().layers());
        RefitRun run = new RefitRun(pool.id(), trigger, false, json.writeValueAsString(options), actor, clock.instant())
                .because(why, decoders, newestSample);
        return write(pool, run, actor);
    }

    private RefitRun write(Pool pool, RefitRun wish, Actor actor) {
        RefitRun run = runs.saveAndFlush(wish);
        queue.add(run.id());
        audit.record(
                actor,
                "refit.request",
                pool.name(),
                "refit " + run.id(),
                Optional.empty(),
                Optional.of(views.brief(pool.name(), run)));
        return run;
    }
}
