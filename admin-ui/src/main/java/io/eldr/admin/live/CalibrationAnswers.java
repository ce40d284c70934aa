package io.eldr.admin.live;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What of the calibration service's answers is read here; the rest is its own. */
final class CalibrationAnswers {
    private CalibrationAnswers() {}

    /** One of {@code GET /v1/routers} */
    record Router(String id, Optional<URI> url, Instant startedAt, Instant lastSeen, List<Status> pools) {
        Router {
            pools = List.copyOf(pools);
        }
    }

    record Status(String pool, Optional<Refusal> nack) {}

    record Refusal(long generation, String reason) {}
}
