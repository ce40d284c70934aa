package io.eldr.admin.cluster;

import io.eldr.admin.AdminProperties;
import io.eldr.admin.upstream.Addresses;
import io.eldr.admin.upstream.AllRouters;
import io.eldr.admin.upstream.AllRouters.Answer;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** Finds out who decided about a request, and why so. */
@RestController
@Tag(name = "Decisions", description = "Why a request went where it went")
class DecisionController {
    private final AllRouters routers;
    private final Duration timeout;

    DecisionController(AllRouters routers, AdminProperties properties) {
        this.routers = routers;
        this.timeout = properties.live().timeout();
    }

    @Operation(
            summary = "The recent decision for a request, from whichever router made it",
            description = "The answer is that of the router to `GET /v1/decisions/{requestId}`, as it describes it.")
    @ApiResponse(
            responseCode = "200",
            content = @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "object")))
    @GetMapping("/api/decisions")
    JsonNode decision(@RequestParam String requestId) {
        List<Answer<JsonNode>> answers =
                routers.ask("/v1/decisions/" + Addresses.encoded(requestId), JsonNode.class, timeout);
        return answers.stream()
                .flatMap(answer -> answer.value().stream())
                .findFirst()
                .orElseThrow(() -> answers.stream()
                                .anyMatch(answer -> answer.failure().isPresent())
                        ? Problems.exception(
                                ProblemType.UNAVAILABLE,
                                "No router that answers remembers this request, and some do not answer now.")
                        : Problems.exception(
                                ProblemType.NOT_FOUND, "No router remembers this request; only the newest are kept."));
    }
}
