package io.eldr.router.route;

import io.eldr.router.tracing.RequestTrace;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/** The decision API. What {@link DirectRoute} answers does not get here. */
@RestController
@Tag(name = "Decisions", description = "Where to decode a request, and why there")
final class RouteController {

    private final RouteInput input;
    private final Routing routing;
    private final DecisionLog log;

    RouteController(RouteInput input, Routing routing, DecisionLog log) {
        this.input = input;
        this.routing = routing;
        this.log = log;
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
    RouteAnswer route(@RequestBody RouteRequest request, @Parameter(hidden = true) ServerWebExchange exchange) {
        return routing.route(input.of(request), RequestTrace.of(exchange));
    }

    @PostMapping(path = "/v1/route", consumes = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    @Operation(operationId = "route")
    @Parameter(name = "pool", in = ParameterIn.QUERY, description = "With raw counts, as the JSON field")
    @Parameter(name = "requestId", in = ParameterIn.QUERY, description = "With raw counts, as the JSON field")
    @Parameter(
            name = "promptTokens",
            in = ParameterIn.QUERY,
            description = "With raw counts, as the JSON field",
            schema = @Schema(types = {"integer"}))
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
            schema = @Schema(types = {"integer"}))
    @ApiResponse(responseCode = "200", description = "Decided")
    RouteAnswer routeRaw(
            @RequestBody byte[] counts,
            @Parameter(hidden = true) @RequestParam MultiValueMap<String, String> parameters,
            @Parameter(hidden = true) ServerWebExchange exchange) {
        return routing.route(input.of(parameters, counts), RequestTrace.of(exchange));
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
}
