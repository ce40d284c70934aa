package io.eldr.router.route;

import io.eldr.core.load.Closing;
import io.eldr.core.load.Lease;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reassignment;
import io.eldr.core.load.Renewal;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.ReservationId;
import io.eldr.core.load.Reservations;
import io.eldr.core.load.Seat;
import io.eldr.core.routing.Decoder;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** What can be done with reservations that are open here. Nothing here blocks. */
@Component
final class ReservationService {

    private final Reservations<DecisionRecord> reservations;
    private final Pools pools;

    ReservationService(Reservations<DecisionRecord> reservations, Pools pools) {
        this.reservations = reservations;
        this.pools = pools;
    }

    Optional<Reservation<DecisionRecord>> find(ReservationId id) {
        return reservations.find(id);
    }

    Closing<DecisionRecord> close(ReservationId id, Outcome outcome) {
        return reservations.close(id, outcome);
    }

    Renewal<DecisionRecord> renew(ReservationId id, Optional<Lease> lease) {
        return reservations.renew(id, lease);
    }

    /** @param failed the decoder that failed, by slot */
    Reassignment<DecisionRecord> reassign(ReservationId id, String failed) {
        return reservations.reassign(id, failed, this::seats);
    }

    /** The fallbacks of its decision that may still be chosen, in their order, as they are now. */
    private List<Seat<DecisionRecord>> seats(Reservation<DecisionRecord> held) {
        Map<String, Decoder> eligible = pools
                .find(held.pool())
                .map(Pool::state)
                .map(state -> state.forDecisions().snapshot().decoders())
                .orElse(List.of())
                .stream()
                .collect(Collectors.toMap(Decoder::id, Function.identity()));
        return held.decision().chosen().fallbacks().stream()
                .map(Decoder::id)
                .filter(slot -> eligible.containsKey(slot) && !held.failed().contains(slot))
                .map(eligible::get)
                .map(decoder -> new Seat<>(
                        decoder.incarnation(),
                        decoder.maxInFlight(),
                        held.decision().movedTo(decoder)))
                .toList();
    }
}
