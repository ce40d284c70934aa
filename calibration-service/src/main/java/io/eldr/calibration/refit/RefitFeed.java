package io.eldr.calibration.refit;

import io.eldr.calibration.job.JobFeed;
import io.eldr.db.refit.RefitRun;
import io.eldr.db.refit.RefitRunRepository;
import org.springframework.stereotype.Component;

/** Tells listeners how refits go on. */
@Component
class RefitFeed extends JobFeed<RefitRun, RefitView> {
    RefitFeed(RefitRunRepository runs, RefitViews views) {
        super("refit", runs::findByIdIn, (pool, run) -> run.isOver() ? views.whole(pool, run) : views.brief(pool, run));
    }
}
