package io.eldr.calibration.drift;

import io.eldr.calibration.drift.DriftWindows.Alarm;
import io.eldr.db.drift.DriftStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Takes what routers observed, and asks for one refit for each alarm. That is done after the windows are safe: whatever comes
 * of it, the post was taken.
 */
@Component
class DriftIntake {
    private static final Logger log = LoggerFactory.getLogger(DriftIntake.class);

    private final DriftWindows windows;
    private final DriftStore store;
    private final DriftGauges gauges;
    private final DriftRefits refits;

    DriftIntake(DriftWindows windows, DriftStore store, DriftGauges gauges, DriftRefits refits) {
        this.windows = windows;
        this.store = store;
        this.gauges = gauges;
        this.refits = refits;
    }

    ObservationAnswer take(String pool, ObservationPost post) {
        DriftWindows.Result result = windows.add(pool, post);
        if (result.judged()) {
            gauges.refresh();
        }
        result.alarm().ifPresent(alarm -> askForRefit(pool, alarm));
        return result.answer();
    }

    private void askForRefit(String pool, Alarm alarm) {
        try {
            if (refits.request(pool, alarm.why())) {
                store.refitRequested(alarm.poolId(), alarm.generation());
            }
        } catch (RuntimeException e) {
            log.error("No refit could be asked for although pool {} drifts; the next window asks again", pool, e);
        }
    }
}
