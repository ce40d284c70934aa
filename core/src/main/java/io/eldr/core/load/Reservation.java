package io.eldr.core.load;

import java.time.Instant;
import java.util.List;

/**
 * One unit of load, held by one request on one incarnation until it is closed or its lease ends.
 *
 * @param pool the pool it was opened in
 * @param requestId the request's name, at most one open reservation in a pool
 * @param failed the slots it was moved away from, oldest first
 * @param lease what it was last given
 * @param openedAt when it took its place on the incarnation
 * @param decision what was decided with it; whatever must live exactly as long as the load belongs there
 */
public record Reservation<D>(
        ReservationId id,
        String pool,
        String requestId,
        Incarnation incarnation,
        List<String> failed,
        Lease lease,
        Instant openedAt,
        Instant expiresAt,
        D decision) {
    public Reservation {
        failed = List.copyOf(failed);
    }

    boolean expiredAt(Instant now) {
        return !now.isBefore(expiresAt);
    }
}
