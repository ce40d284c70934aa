package io.eldr.router.route;

import io.eldr.core.load.ReservationId;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.RouterProperties;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** The prompts' counts of open reservations that are to become samples: so many at a time, since each takes kilobytes. */
@Component
final class OpenPrompts {
    private final int most;
    private final ConcurrentHashMap<ReservationId, ExpertCounts> counts = new ConcurrentHashMap<>();

    OpenPrompts(RouterProperties properties) {
        this.most = properties.samples().open();
    }

    /** @return whether there was room for it */
    boolean keep(ReservationId id, ExpertCounts prompt) {
        if (counts.mappingCount() >= most) {
            return false;
        }
        counts.putIfAbsent(id, prompt);
        return true;
    }

    Optional<ExpertCounts> find(ReservationId id) {
        return Optional.ofNullable(counts.get(id));
    }

    void forget(ReservationId id) {
        counts.remove(id);
    }
}
