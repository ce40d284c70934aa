package io.eldr.router.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.pool.Pools;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes and shows what clients measured. */
@RestController
@Tag(name = "Client reports", description = "What clients measured themselves; each router shows what it was told")
final class ReportController {
    private static final Pattern CLIENT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final double MILLIS = 1e3;

    private final Pools pools;
    private final ClientReports reports;
    private final InstantSource clock;

    ReportController(Pools pools, ClientReports reports, InstantSource clock) {
        this.pools = pools;
        this.reports = reports;
        this.clock = clock;
    }

    /** The fresh reports of a pool. */
    record ReportList(List<Shown> clients) {}

    /** A report with its sender and its age. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "ReceivedReport")
    record Shown(
            String client, double ageSeconds, @JsonUnwrapped ClientReport report) {
        static Shown of(ClientReports.Received received, Instant now) {
            return new Shown(
                    received.client(), Duration.between(received.at(), now).toMillis() / MILLIS, received.report());
        }
    }

    @PutMapping("/v1/pools/{pool}/clients/{client}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            summary = "Tells what a client measured of its own requests in a pool",
            description =
                    "Takes the place of its last report; one that is 15 s old is forgotten. Nothing is routed by it.")
    @ApiResponse(responseCode = "204", description = "Taken")
    @ApiResponse(responseCode = "409", description = "16 other clients report on this pool")
    void put(@PathVariable String pool, @PathVariable String client, @RequestBody ClientReport report) {
        requirePool(pool);
        if (!CLIENT.matcher(client).matches()) {
            throw new InvalidInputException("client", "must match " + CLIENT);
        }
        report.check();
        if (!reports.put(pool, client, report)) {
            throw Problems.exception(ProblemType.CONFLICT, "As many clients as are heard report on this pool already.");
        }
    }

    @GetMapping("/v1/pools/{pool}/clients")
    @Operation(summary = "What clients measured in a pool, by their names")
    ReportList list(@PathVariable String pool) {
        requirePool(pool);
        Instant now = clock.instant();
        return new ReportList(reports.of(pool).stream()
                .map(received -> Shown.of(received, now))
                .toList());
    }

    private void requirePool(String pool) {
        if (pools.find(pool).isEmpty()) {
            throw Problems.exception(ProblemType.NOT_FOUND, "There is no such pool.");
        }
    }
}
