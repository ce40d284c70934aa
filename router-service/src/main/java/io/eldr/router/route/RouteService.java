package io.eldr.router.route;

import io.eldr.core.load.Reservation;
import io.eldr.core.load.Reservations;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.PoolState;
import io.eldr.core.routing.ReservingRouter;
import io.eldr.router.observation.Observations;
import io.eldr.router.policy.Shadows;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.ServedState;
import io.eldr.router.telemetry.RouterMetrics;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.springframework.stereotype.Component;

/** Decides, reserves, and remembers what was decided. Nothing here blocks or takes a lock. */
@Component
final class RouteService {

    private final ReservingRouter<DecisionRecord> router;
    private final DecisionLog log;
    private final RouterMetrics metrics;
    private final Observations observations;
    private final Shadows shadows;
    private final InstantSource clock;
    private final RandomGenerator random;

    RouteService(
            Reservations<DecisionRecord> reservations,
            DecisionLog log,
            RouterMetrics metrics,
            Observations observations,
            Shadows shadows,
            InstantSource clock,
            RandomGenerator random) {
        this.router = new ReservingRouter<>(reservations);
        this.log = log;
        this.metrics = metrics;
        this.observations = observations;
        this.shadows = shadows;
        this.clock = clock;
        this.random = random;
    }

    /** What became of a request. */
    sealed interface Result {}

    /** The decision, with its reservation unless it was a dry run. */
    record Decided(DecisionRecord decision, Optional<Reservation<DecisionRecord>> reservation) implements Result {}

    /** No decoder can take it. */
    record NotPlaced(Decision.Unplaced why) implements Result {}

    Result route(RouteCommand command) {
        long start = System.nanoTime();
        Result result = command.dryRun() ? decide(command) : reserve(command);
        switch (result) {
            case Decided decided -> metrics.decided(decided.decision().chosen(), System.nanoTime() - start);
            case NotPlaced(Decision.Unplaced why) ->
                metrics.refused(command.pool().name(), why);
        }
        return result;
    }

    private Result decide(RouteCommand command) {
        Reading reading = new Reading(command.pool());
        PoolState state = reading.next();
        return switch (state.policy().decide(request(command), state.snapshot(), state.loads(), random)) {
            case Decision.Unplaced unplaced -> new NotPlaced(unplaced);
            case Decision.Chosen chosen -> new Decided(record(command, chosen, reading.last), Optional.empty());
        };
    }

    private Result reserve(RouteCommand command) {
        Reading reading = new Reading(command.pool());
        DecisionRequest request = request(command);
        ReservingRouter.Routed<DecisionRecord> routed = router.route(
                command.pool().name(),
                command.requestId(),
                request,
                command.lease(),
                reading::next,
                random,
                chosen -> record(command, chosen, reading.last));
        return switch (routed) {
            case ReservingRouter.Refused<DecisionRecord>(Decision.Unplaced why) -> new NotPlaced(why);
            case ReservingRouter.Repeated<DecisionRecord>(Reservation<DecisionRecord> reservation) ->
                new Decided(reservation.decision(), Optional.of(reservation));
            case ReservingRouter.Opened<DecisionRecord>(Reservation<DecisionRecord> reservation) -> {
                DecisionRecord decision = reservation.decision();
                log.add(decision);
                shadows.decided(request, reading.last, decision.chosen(), choice -> log.shadowed(decision, choice));
                observations.record(decision.chosen(), reading.last);
                metrics.opened(reservation.pool());
                yield new Decided(reservation.decision(), Optional.of(reservation));
            }
        };
    }

    /** The pool's states in the order in which one request read them. */
    private static final class Reading {
        private final Pool pool;
        private ServedState last;

        Reading(Pool pool) {
            this.pool = pool;
            this.last = pool.state();
        }

        PoolState next() {
            last = pool.state();
            return last.forDecisions();
        }
    }

    private static DecisionRequest request(RouteCommand command) {
        return new DecisionRequest(command.counts(), command.label(), command.candidates(), command.exclude());
    }

    private DecisionRecord record(RouteCommand command, Decision.Chosen chosen, ServedState state) {
        return new DecisionRecord(
                command.requestId(),
                command.promptTokens(),
                command.label(),
                command.candidates().map(names -> DecisionRecord.positions(names, state.rows())),
                DecisionRecord.positions(command.exclude(), state.rows()),
                command.counts().isPresent(),
                clock.instant(),
                chosen,
                state.rows());
    }
}
