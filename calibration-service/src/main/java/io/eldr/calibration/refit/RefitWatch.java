package io.eldr.calibration.refit;

import io.eldr.calibration.job.JobWatch;
import io.eldr.db.refit.RefitRunRepository;
import org.springframework.stereotype.Component;

/** Watches the refits that this replica runs. */
@Component
class RefitWatch extends JobWatch {
    RefitWatch(RefitRunRepository runs) {
        super("refit", runs::findByIdIn);
    }
}
