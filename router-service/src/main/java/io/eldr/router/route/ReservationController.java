package io.eldr.router.route;

import io.eldr.core.load.Absence;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reassignment;
import io.eldr.core.load.Renewal;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.ReservationId;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * What is said about a reservation. That of another router never gets here: it is sent on before. What {@link DirectClose}
 * answers does not get here either.
 */
@RestController
@Tag(name = "Reservations", description = "The load that a decision holds until it is given back")
final class ReservationController {

    /** The numbers are those of {@link io.eldr.core.load.Reservations}. */
    private static final String REMEMBERED = "A router remembers the newest 250,000 reservations that ended, no more: "
            + "one that was forgotten is unknown, 404.";

    private static final String SENT_ON = "Any router takes it and sends it on to the one that holds the reservation; ";
    private static final String SENT_ON_TO_CLOSE = SENT_ON + "where that one is gone, its load is gone too, 204.";
    private static final String SENT_ON_OTHERWISE = SENT_ON + "where that one is gone, 410.";

    private final ReservationService reservations;
    private final Closings closings;

    ReservationController(ReservationService reservations, Closings closings) {
        this.reservations = reservations;
        this.closings = closings;
    }

    @PostMapping(path = "/v1/reservations/{id}/close", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Close a reservation",
            description = "Closing it again answers the same for 10 minutes, and 410 says as long that its lease had "
                    + "ended. " + REMEMBERED + " " + SENT_ON_TO_CLOSE)
    @ApiResponse(responseCode = "204", description = "Closed, now or before")
    @ApiResponse(responseCode = "400", description = "A field is malformed, missing or unknown", content = @Content)
    @ApiResponse(responseCode = "404", description = "Unknown here", content = @Content)
    @ApiResponse(responseCode = "410", description = "Its lease had ended", content = @Content)
    void close(@PathVariable String id, @RequestBody CloseRequest request) {
        closings.close(ReservationId.parse(id), request);
    }

    @DeleteMapping("/v1/reservations/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Close a reservation with nothing but an outcome",
            description = "Answers as the close of a reservation does. " + REMEMBERED + " " + SENT_ON_TO_CLOSE)
    @ApiResponse(responseCode = "204", description = "Closed, now or before")
    @ApiResponse(responseCode = "404", description = "Unknown here", content = @Content)
    @ApiResponse(responseCode = "410", description = "Its lease had ended", content = @Content)
    void delete(
            @PathVariable String id,
            @Schema(allowableValues = {"completed", "aborted", "clientError", "decoderFailed", "timeout"})
                    @RequestParam(defaultValue = "completed")
                    String outcome) {
        closings.close(ReservationId.parse(id), CloseRequest.of(Outcome.of("outcome", outcome)));
    }

    @PostMapping(path = "/v1/reservations/{id}/renew", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Let a reservation's lease run anew from now",
            description = "For streams that take longer than the lease. " + SENT_ON_OTHERWISE)
    @ApiResponse(responseCode = "200", description = "Until when it runs")
    @ApiResponse(responseCode = "400", description = "A field is malformed or unknown", content = @Content)
    @ApiResponse(responseCode = "404", description = "Unknown here", content = @Content)
    @ApiResponse(responseCode = "410", description = "It was closed, or its lease had ended", content = @Content)
    RouteAnswer.ReservationRef renew(
            @PathVariable String id, @RequestBody(required = false) @Nullable RenewRequest request) {
        Optional<RenewRequest> given = Optional.ofNullable(request);
        Renewal<DecisionRecord> renewal = ReservationId.parse(id)
                .map(parsed -> reservations.renew(parsed, given.flatMap(RenewRequest::lease)))
                .orElseGet(() -> new Renewal.NotOpen<>(Absence.UNKNOWN));
        return switch (renewal) {
            case Renewal.Renewed<DecisionRecord>(Reservation<DecisionRecord> held) ->
                new RouteAnswer.ReservationRef(held.id().toString(), held.expiresAt());
            case Renewal.NotOpen<DecisionRecord>(Absence why) -> throw Closings.notOpen(why);
        };
    }

    @PostMapping(path = "/v1/reservations/{id}/reassign", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Move a reservation away from a decoder that failed",
            description =
                    "Counts as decoderFailed there, and goes on to the next fallback that still gets traffic, in one "
                            + "step and under the same id; its lease runs anew. Said again of the same decoder, the answer is "
                            + "repeated. " + SENT_ON_OTHERWISE)
    @ApiResponse(responseCode = "200", description = "Where it is now; the other fields are those of the decision")
    @ApiResponse(responseCode = "400", description = "A field is malformed, missing or unknown", content = @Content)
    @ApiResponse(responseCode = "404", description = "Unknown here", content = @Content)
    @ApiResponse(responseCode = "409", description = "It is not, and was not, on that decoder", content = @Content)
    @ApiResponse(responseCode = "410", description = "It was closed, or its lease had ended", content = @Content)
    @ApiResponse(
            responseCode = "503",
            description = "No fallback is left; the reservation is closed",
            content = @Content)
    RouteAnswer reassign(@PathVariable String id, @RequestBody ReassignRequest request) {
        String failed = request.checkedFailed();
        Reassignment<DecisionRecord> reassignment = ReservationId.parse(id)
                .map(parsed -> reservations.reassign(parsed, failed))
                .orElseGet(() -> new Reassignment.NotOpen<>(Absence.UNKNOWN));
        return switch (reassignment) {
            case Reassignment.Moved<DecisionRecord>(var _, Reservation<DecisionRecord> now) -> RouteAnswer.of(now);
            case Reassignment.Repeated<DecisionRecord>(Reservation<DecisionRecord> now) -> RouteAnswer.of(now);
            case Reassignment.Elsewhere<DecisionRecord>(Reservation<DecisionRecord> now) ->
                throw Problems.exception(
                        ProblemType.CONFLICT,
                        "failed: the reservation is on "
                                + now.decision().chosen().decoder().id() + " and never was on that decoder.");
            case Reassignment.Exhausted<DecisionRecord> _ ->
                throw Retries.later(
                        ProblemType.NO_DECODER, "No fallback of the decision is left. The reservation is closed.");
            case Reassignment.NotOpen<DecisionRecord>(Absence why) -> throw Closings.notOpen(why);
        };
    }
}
