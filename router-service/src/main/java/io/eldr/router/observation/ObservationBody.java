package io.eldr.router.observation;

import io.eldr.core.drift.ObservationWindow;
import java.util.List;

/** A window as it is posted to {@code /v1/pools/{pool}/observations}. */
record ObservationBody(
        String router,
        long sequence,
        long generation,
        long requests,
        long withoutSignature,
        List<Long> nearest,
        List<Long> similarities,
        double similaritySum,
        long spilled,
        long singletonBands) {

    /** @param router names this run of the router */
    static ObservationBody of(String router, Outbox.Post post) {
        ObservationWindow window = post.window();
        return new ObservationBody(
                router,
                post.sequence(),
                post.generation(),
                window.requests(),
                window.withoutSignature(),
                window.nearest(),
                window.similarities(),
                window.similaritySum(),
                window.spilled(),
                window.singletonBands());
    }
}
