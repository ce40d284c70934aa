package io.eldr.admin.cluster;

import io.eldr.admin.AdminProperties;
import io.eldr.admin.passage.Passage;
import io.eldr.admin.security.AdminUser;
import io.eldr.admin.upstream.Addresses;
import io.eldr.admin.upstream.Upstream;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Clusters", description = "Which decoder serves which cluster, and what falls into it")
class ClusterController {
    private static final int MAX_POINTS = 5_000;

    private final Upstream upstream;
    private final Passage passage;
    private final URI calibration;
    private final Duration timeout;
    private final PoolMaps maps;

    ClusterController(Upstream upstream, Passage passage, AdminProperties properties, PoolMaps maps) {
        this.upstream = upstream;
        this.passage = passage;
        this.calibration = properties.calibrationUrl();
        this.timeout = properties.calls().timeout();
        this.maps = maps;
    }

    private record Activation(int version) {}

    @Operation(
            summary = "The clusters of the version that is served, or of another one",
            description = "The answer is that of the calibration service to"
                    + " `GET /v1/pools/{pool}/artifacts/{version}/clusters`, as it describes it.")
    @ApiResponse(
            responseCode = "200",
            content = @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "object")))
    @GetMapping("/api/pools/{pool}/clusters")
    void clusters(
            @PathVariable String pool,
            @RequestParam Optional<Integer> version,
            @AuthenticationPrincipal AdminUser user,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        String path = "/v1/pools/" + Addresses.encoded(pool);
        URI current = Addresses.at(calibration, path + "/activations/current");
        Optional<Integer> shown = version.isPresent()
                ? version
                : upstream.find(current, Activation.class, timeout).map(Activation::version);
        // Without a version that is served, the calibration service says best why there is none.
        URI target = shown.map(number -> Addresses.at(calibration, path + "/artifacts/" + number + "/clusters"))
                .orElse(current);
        passage.get(target, user, request, response);
    }

    @Operation(
            summary = "Recent decisions of a pool on a plane, with its centroids",
            description = "`limit` is how many points there are at most, 0 to 5,000.")
    @GetMapping("/api/pools/{pool}/map")
    PoolMap map(@PathVariable String pool, @RequestParam(defaultValue = "1000") int limit) {
        if (limit < 0 || limit > MAX_POINTS) {
            throw new ErrorResponseException(
                    HttpStatus.BAD_REQUEST,
                    Problems.invalid("limit", "must be between 0 and " + MAX_POINTS + " but is " + limit),
                    null);
        }
        return maps.of(pool, limit);
    }
}
