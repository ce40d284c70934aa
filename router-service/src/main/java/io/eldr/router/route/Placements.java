package io.eldr.router.route;

import io.eldr.core.load.Lease;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.ReservationId;
import io.eldr.core.routing.Decision;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.pool.Pool;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Places requests that this router itself carries: the same decisions and reservations as over REST, without the wire. */
@Component
public final class Placements {
    /** How long a unit of load is held without a renewal. */
    public static final int LEASE_SECONDS = Lease.MAX_SECONDS;

    private static final Lease LEASE = Lease.ofSeconds(LEASE_SECONDS);

    private final RouteService routes;
    private final ReservationService reservations;

    Placements(RouteService routes, ReservationService reservations) {
        this.routes = routes;
        this.reservations = reservations;
    }

    /** What became of a request. */
    public sealed interface Result {}

    /** It has a decoder, and a unit of its load until {@link #close}. */
    public record Placed(Decision.Chosen decision, ReservationId reservation) implements Result {}

    /** No decoder can take it. */
    public record NotPlaced(Decision.Unplaced why) implements Result {}

    /**
     * @param requestId distinct among the open ones of the pool
     * @param counts the expert counts of its prompt, where known
     * @param exclude decoders that failed it
     */
    public Result place(
            Pool pool, String requestId, int promptTokens, Optional<ExpertCounts> counts, Set<String> exclude) {
        RouteCommand command = new RouteCommand(
                pool, requestId, promptTokens, Optional.empty(), Optional.empty(), exclude, false, LEASE, counts);
        return switch (routes.route(command)) {
            case RouteService.Decided(DecisionRecord decision, var reservation) ->
                new Placed(decision.chosen(), reservation.orElseThrow().id());
            case RouteService.NotPlaced(Decision.Unplaced why) -> new NotPlaced(why);
        };
    }

    /** Gives the unit of load back; any later call does nothing. */
    public void close(ReservationId reservation, Outcome outcome) {
        reservations.close(reservation, outcome);
    }

    /** Lets the lease run anew, for streams that last longer; to be called well within {@link #LEASE_SECONDS}. */
    public void renew(ReservationId reservation) {
        reservations.renew(reservation, Optional.of(LEASE));
    }
}
