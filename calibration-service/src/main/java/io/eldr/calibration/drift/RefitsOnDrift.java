package io.eldr.calibration.drift;

import io.eldr.calibration.refit.RefitRequests;
import io.eldr.db.audit.Actor;
import io.eldr.db.refit.RefitTrigger;
import org.springframework.stereotype.Component;

/** Puts the refits that drift asks for beside all others; a pool's schedule may not want them. */
@Component
final class RefitsOnDrift implements DriftRefits {
    private static final Actor DRIFT = Actor.of("drift");

    private final RefitRequests refits;

    RefitsOnDrift(RefitRequests refits) {
        this.refits = refits;
    }

    @Override
    public boolean request(String pool, String why) {
        return refits.request(pool, RefitTrigger.DRIFT, DRIFT, why).isPresent();
    }
}
