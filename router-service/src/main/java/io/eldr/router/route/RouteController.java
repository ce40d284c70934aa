package io.eldr.router.route;

import io.eldr.core.load.Closing;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.ReservationId;
import io.eldr.core.routing.Decision;
import io.eldr.router.policy.Switchbacks;
import io.eldr.router.telemetry.RouterMetrics;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.util.MultiValueMap;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The decision API. */
@RestController
@Tag(name = "Decisions", description = "Where to decode a request, and the reservation that comes with it")
final class RouteController {

    private static final String RETRY_AFTER_SECONDS = "1";

    /** The numbers are those of {@link io.eldr.core.load.Reservations}. */
    private static final String REMEMBERED = "A router remembers the newest 250,000 reservations that ended, no more: "
            + "one that was forgotten is unknown, 404.";

    private final RouteInput input;
    private final RouteService routes;
    private final DecisionLog log;
    private final RouterMetrics metrics;
    private final Switchbacks switchbacks;

    RouteController(
            RouteInput input, RouteService routes, DecisionLog log, RouterMetrics metrics, Switchbacks switchbacks) {
        this.input = input;
        this.routes = routes;
        this.log = log;
        this.metrics = metrics;
        this.switchbacks = switchbacks;
    }

    @PostMapping(path = "/v1/route", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            operationId = "route",
            summary = "Decide where to decode a request, and reserve it",
            description = "Takes JSON, or the expert counts alone as application/octet-stream (exactly 2*L*E bytes, "
                    + "uint16 little-endian, layer-major) with the other fields as query parameters. While a "
                    + "reservation of the same pool and requestId is open here, the answer is repeated.")
    @ApiResponse(responseCode = "200", description = "Decided")
    @ApiResponse(responseCode = "400", description = "A field is malformed, missing or unknown", content = @Content)
    @ApiResponse(responseCode = "404", description = "Unknown pool", content = @Content)
    @ApiResponse(responseCode = "413", description = "The body is larger than 32 MiB", content = @Content)
    @ApiResponse(responseCode = "429", description = "Every eligible decoder is at its maxInFlight", content = @Content)
    @ApiResponse(responseCode = "503", description = "No decoder is eligible; see Retry-After", content = @Content)
    RouteAnswer route(@RequestBody RouteRequest request) {
        return answer(input.of(request));
    }

    @PostMapping(path = "/v1/route", consumes = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    @Operation(operationId = "route")
    @Parameter(name = "pool", in = ParameterIn.QUERY, description = "With raw counts, as the JSON field")
    @Parameter(name = "requestId", in = ParameterIn.QUERY, description = "With raw counts, as the JSON field")
    @Parameter(
            name = "promptTokens",
            in = ParameterIn.QUERY,
            description = "With raw counts, as the JSON field",
            schema = @Schema(type = "integer"))
    @Parameter(name = "label", in = ParameterIn.QUERY, description = "With raw counts, as the JSON field")
    @Parameter(
            name = "candidates",
            in = ParameterIn.QUERY,
            description = "With raw counts: given several times, or with commas between")
    @Parameter(
            name = "exclude",
            in = ParameterIn.QUERY,
            description = "With raw counts: given several times, or with commas between")
    @Parameter(
            name = "dryRun",
            in = ParameterIn.QUERY,
            description = "With raw counts, as the JSON field",
            schema = @Schema(type = "boolean"))
    @Parameter(
            name = "leaseSeconds",
            in = ParameterIn.QUERY,
            description = "With raw counts, as the JSON field",
            schema = @Schema(type = "integer"))
    @ApiResponse(responseCode = "200", description = "Decided")
    RouteAnswer routeRaw(
            @RequestBody byte[] counts,
            @Parameter(hidden = true) @RequestParam MultiValueMap<String, String> parameters) {
        return answer(input.of(parameters, counts));
    }

    @PostMapping(path = "/v1/reservations/{id}/close", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Close a reservation",
            description = "Closing it again answers the same for 10 minutes, and 410 says as long that its lease had "
                    + "ended. " + REMEMBERED)
    @ApiResponse(responseCode = "204", description = "Closed, now or before")
    @ApiResponse(responseCode = "404", description = "Unknown here", content = @Content)
    @ApiResponse(responseCode = "410", description = "Its lease had ended", content = @Content)
    void close(@PathVariable String id, @RequestBody CloseRequest request) {
        Outcome outcome = request.checked();
        close(id, outcome).ifPresent(closed -> {
            Optional<Double> tpot = Optional.ofNullable(request.tpotMs());
            metrics.reported(Optional.ofNullable(request.decodeTokens()), tpot);
            tpot.ifPresent(millis ->
                    switchbacks.closed(closed.pool(), closed.decision().chosen().policy(), closed.openedAt(), millis));
        });
    }

    @DeleteMapping("/v1/reservations/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Close a reservation with nothing but an outcome",
            description = "Answers as the close of a reservation does. " + REMEMBERED)
    @ApiResponse(responseCode = "204", description = "Closed, now or before")
    @ApiResponse(responseCode = "404", description = "Unknown here", content = @Content)
    @ApiResponse(responseCode = "410", description = "Its lease had ended", content = @Content)
    void delete(
            @PathVariable String id,
            @Schema(allowableValues = {"completed", "aborted", "clientError", "decoderFailed", "timeout"})
                    @RequestParam(defaultValue = "completed")
                    String outcome) {
        close(id, Outcome.of("outcome", outcome));
    }

    @GetMapping("/v1/decisions/{requestId}")
    @Operation(
            summary = "Explain a recent decision",
            description = "The newest one for a request of this name; only so many are kept. Dry runs are not.")
    Explanation explain(@PathVariable String requestId) {
        return log.find(requestId)
                .map(decision -> Explanation.of(decision, log.shadow(decision)))
                .orElseThrow(() -> Problems.exception(
                        ProblemType.NOT_FOUND, "No decision for this request is kept here (any more)."));
    }

    private RouteAnswer answer(RouteCommand command) {
        return switch (routes.route(command)) {
            case RouteService.Decided(DecisionRecord decision, var reservation) ->
                RouteAnswer.of(decision.requestId(), decision.chosen(), reservation);
            case RouteService.NotPlaced(Decision.NoneEligible _) ->
                throw retryLater(ProblemType.NO_DECODER, "No decoder of the pool that the request may go to is READY.");
            case RouteService.NotPlaced(Decision.AllAtCapacity _) ->
                throw retryLater(
                        ProblemType.SATURATED, "Every decoder that the request may go to has its most in flight.");
        };
    }

    private static ErrorResponseException retryLater(ProblemType type, String detail) {
        ProblemDetail problem = Problems.of(type, detail);
        ErrorResponseException exception = new ErrorResponseException(type.status(), problem, null);
        exception.getHeaders().set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        return exception;
    }

    /** @return the reservation, if this call closed it */
    private Optional<Reservation<DecisionRecord>> close(String id, Outcome outcome) {
        Closing<DecisionRecord> closing = ReservationId.parse(id)
                .map(parsed -> routes.close(parsed, outcome))
                .orElseGet(Closing.Unknown::new);
        return switch (closing) {
            case Closing.Closed<DecisionRecord>(Reservation<DecisionRecord> closed) -> Optional.of(closed);
            case Closing.AlreadyClosed<DecisionRecord> _ -> Optional.empty();
            case Closing.Expired<DecisionRecord> _ ->
                throw Problems.exception(ProblemType.GONE, "The lease of this reservation ended before it was closed.");
            case Closing.Unknown<DecisionRecord> _ ->
                throw Problems.exception(ProblemType.NOT_FOUND, "This router knows no such reservation.");
        };
    }
}
