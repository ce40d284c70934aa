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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Decides, reserves, and remembers what was decided. Nothing here blocks or takes a lock. */
@Component
final class RouteService {

    private static final Logger log = LoggerFactory.getLogger(RouteService.class);

    private final ReservingRouter<DecisionRecord> router;
    private final DecisionLog decisions;
    private final RouterMetrics metrics;
    private final Observations observations;
    private final Shadows shadows;
    private final InstantSource clock;
    private final RandomGenerator random;

    RouteService(
            Reservations<DecisionRecord> reservations,
            DecisionLog decisions,
            RouterMetrics metrics,
            Observations observations,
            Shadows shadows,
            InstantSource clock,
            RandomGenerator random) {
        this.router = new ReservingRouter<>(reservations);
        this.decisions = decisions;
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
        DecisionRequest request =
                request(command).forecastBy(reading.last.forDecisions().snapshot());
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
                decisions.add(decision);
                tell(decision);
                shadows.decided(
                        request, reading.last, decision.chosen(), choice -> decisions.shadowed(decision, choice));
                observations.record(decision.chosen(), reading.last);
                metrics.opened(reservation.pool());
                yield new Decided(reservation.decision(), Optional.of(reservation));
            }
        };
    }

    /** For those who look for a request in the logs; costs nothing where nobody does. */
    private static void tell(DecisionRecord decision) {
        log.atDebug()
                .addKeyValue("requestId", decision.requestId())
                .addKeyValue("pool", decision.chosen().version().pool())
                .addKeyValue("decoder", decision.chosen().decoder().id())
                .addKeyValue("reason", decision.chosen().reason().id())
                .log("Decided");
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
