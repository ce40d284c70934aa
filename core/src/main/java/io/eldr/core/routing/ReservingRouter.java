package io.eldr.core.routing;

import io.eldr.core.load.Incarnation;
import io.eldr.core.load.Lease;
import io.eldr.core.load.Opening;
import io.eldr.core.load.PredictedUse;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.Reservations;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Decides and reserves as one step: where the load of the chosen decoder changed between the two, it decides again on the
 * newest state. Under so much contention that this fails many times in a row, it keeps the decision and reserves on the
 * load as it then is, still within the decoder's limit.
 *
 * @param <D> what is kept with a reservation
 */
public final class ReservingRouter<D> {
    private static final int DECISIONS = 100;

    private final Reservations<D> reservations;

    public ReservingRouter(Reservations<D> reservations) {
        this.reservations = reservations;
    }

    /** What became of a request. */
    public sealed interface Routed<D> {}

    /** It was decided, and holds its load. */
    public record Opened<D>(Reservation<D> reservation) implements Routed<D> {}

    /** It had been decided before and still holds its load; nothing was opened. */
    public record Repeated<D>(Reservation<D> reservation) implements Routed<D> {}

    /** No decoder can take it. */
    public record Refused<D>(Decision.Unplaced why) implements Routed<D> {}

    /**
     * @param state reads the pool's present state
     * @param keep what to keep with the reservation of a decision
     */
    public Routed<D> route(
            String pool,
            String requestId,
            DecisionRequest request,
            Lease lease,
            Supplier<PoolState> state,
            RandomGenerator random,
            Function<Decision.Chosen, D> keep) {
        Optional<Reservation<D>> before = reservations.find(pool, requestId);
        if (before.isPresent()) {
            return new Repeated<>(before.get());
        }
        DecisionRequest known = request;
        for (int attempt = 1; ; attempt++) {
            PoolState now = state.get();
            known = known.forecastBy(now.snapshot());
            Decision decision = now.policy().decide(known, now.snapshot(), now.loads(), random);
            switch (decision) {
                case Decision.Unplaced unplaced -> {
                    return new Refused<>(unplaced);
                }
                case Decision.Chosen chosen -> {
                    int seen = attempt < DECISIONS ? chosen.seen() : now.loads().inFlight(chosen.index());
                    Incarnation incarnation = chosen.decoder().incarnation();
                    Opening<D> opening = reservations.open(
                            pool,
                            requestId,
                            incarnation,
                            seen,
                            chosen.decoder().maxInFlight(),
                            lease,
                            keep.apply(chosen),
                            known.use().map(this::carried));
                    switch (opening) {
                        case Opening.Opened<D>(Reservation<D> reservation) -> {
                            return new Opened<>(reservation);
                        }
                        case Opening.Existing<D>(Reservation<D> reservation) -> {
                            return new Repeated<>(reservation);
                        }
                        case Opening.Stale<D> _ -> Thread.onSpinWait();
                    }
                }
            }
        }
    }

    private PredictedUse carried(UsePrediction use) {
        PredictedUse own = use.own();
        return reservations.hasRoomFor(own) ? own : use.shared();
    }
}
