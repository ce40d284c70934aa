package io.eldr.router.route;

import io.eldr.core.routing.Decision;
import io.eldr.router.tracing.RequestTrace;
import io.eldr.service.problem.ProblemType;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;

/** A decision for a client, whichever way its request came in. */
@Component
final class Routing {
    private final RouteService routes;
    private final ReservationSamples samples;

    Routing(RouteService routes, ReservationSamples samples) {
        this.routes = routes;
        this.samples = samples;
    }

    /** @throws ErrorResponseException if no decoder can take the request now */
    RouteAnswer route(RouteCommand command, RequestTrace trace) {
        return switch (trace.decide(command.requestId(), () -> routes.route(command))) {
            case RouteService.Decided(DecisionRecord decision, var reservation) -> {
                reservation.ifPresent(held -> samples.opened(command, held));
                yield RouteAnswer.of(decision.requestId(), decision.chosen(), reservation);
            }
            case RouteService.NotPlaced(Decision.NoneEligible _) ->
                throw Retries.later(
                        ProblemType.NO_DECODER, "No decoder of the pool that the request may go to is READY.");
            case RouteService.NotPlaced(Decision.AllAtCapacity _) ->
                throw Retries.later(
                        ProblemType.SATURATED, "Every decoder that the request may go to has its most in flight.");
        };
    }
}
