package io.eldr.router.route;

import io.eldr.core.load.Absence;
import io.eldr.core.load.Closing;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.ReservationId;
import io.eldr.router.policy.Switchbacks;
import io.eldr.router.sample.LiveSample;
import io.eldr.router.telemetry.RouterMetrics;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;

/** The end of a reservation as a client tells it, and what is learned from that. */
@Component
final class Closings {
    private final ReservationService reservations;
    private final ReservationSamples samples;
    private final RouterMetrics metrics;
    private final Switchbacks switchbacks;

    Closings(
            ReservationService reservations,
            ReservationSamples samples,
            RouterMetrics metrics,
            Switchbacks switchbacks) {
        this.reservations = reservations;
        this.samples = samples;
        this.metrics = metrics;
        this.switchbacks = switchbacks;
    }

    /**
     * Closes a reservation; closed before is as good.
     *
     * @param id empty where what was sent is none
     * @throws ErrorResponseException if it is not known here or its lease had ended
     */
    void close(Optional<ReservationId> id, CloseRequest request) {
        Outcome outcome = request.checked();
        Optional<LiveSample> sample =
                id.flatMap(reservations::find).flatMap(held -> samples.read(request, outcome, held));
        close(id, outcome).ifPresent(closed -> {
            Optional<Double> tpot = Optional.ofNullable(request.tpotMs());
            metrics.reported(Optional.ofNullable(request.decodeTokens()), tpot);
            tpot.ifPresent(millis ->
                    switchbacks.closed(closed.pool(), closed.decision().chosen().policy(), closed.openedAt(), millis));
            sample.ifPresent(samples::pass);
        });
    }

    /** @return the reservation, if this call closed it */
    private Optional<Reservation<DecisionRecord>> close(Optional<ReservationId> id, Outcome outcome) {
        Closing<DecisionRecord> closing =
                id.map(parsed -> reservations.close(parsed, outcome)).orElseGet(Closing.Unknown::new);
        return switch (closing) {
            case Closing.Closed<DecisionRecord>(Reservation<DecisionRecord> closed) -> Optional.of(closed);
            case Closing.AlreadyClosed<DecisionRecord> _ -> Optional.empty();
            case Closing.Expired<DecisionRecord> _ -> throw notOpen(Absence.EXPIRED);
            case Closing.Unknown<DecisionRecord> _ -> throw notOpen(Absence.UNKNOWN);
        };
    }

    static ErrorResponseException notOpen(Absence why) {
        return switch (why) {
            case CLOSED -> Problems.exception(ProblemType.GONE, "This reservation was closed.");
            case EXPIRED ->
                Problems.exception(ProblemType.GONE, "The lease of this reservation ended before it was closed.");
            case UNKNOWN -> Problems.exception(ProblemType.NOT_FOUND, "This router knows no such reservation.");
        };
    }
}
