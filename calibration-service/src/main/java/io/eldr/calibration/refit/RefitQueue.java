package io.eldr.calibration.refit;

import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.job.JobQueue;
import io.eldr.calibration.job.JobStop;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/** The refits that wait. */
@Component
class RefitQueue extends JobQueue {
    RefitQueue(
            DataSource database,
            @Qualifier("refit") CustomTask<Void> refit,
            JobStop stop,
            InstantSource clock,
            CalibrationProperties properties) {
        super(database, refit, properties.refit().threads(), stop, clock, properties);
    }
}
