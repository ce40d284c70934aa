package io.eldr.calibration.artifact;

import io.eldr.calibration.web.EntityTags;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.placement.ExpertPlacement;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.nio.charset.StandardCharsets;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

/** Where the decoders of an artifact version should keep their experts. */
@RestController
class PlacementController {
    private static final String DEFAULT_BATCH = "" + ExpertPlacement.DEFAULT_BATCH;

    private final ArtifactService artifacts;

    PlacementController(ArtifactService artifacts) {
        this.artifacts = artifacts;
    }

    @Operation(
            summary = "Where each decoder of a version should keep its experts, for decoders of so many ranks",
            description = """
                    `decoders[].layout[layer][physical position]` is a logical expert; rank r holds the positions from \
                    r x E / ranks on. `maxToMeanLoad` is what a step's heaviest rank is predicted to load over the mean \
                    rank, with experts in order (`contiguous`), with one layout for all decoders (`global`) and with \
                    these (`perDecoder`). `ranks` divides the experts of a layer, `batch` is the requests in a step. \
                    409 where the version carries no decode patterns, as an imported file.""")
    @ApiResponse(
            responseCode = "200",
            content = @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "304", description = "The caller has it already", content = @Content)
    @GetMapping(value = "/v1/pools/{pool}/artifacts/{version}/placement", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> placement(
            @PathVariable String pool,
            @PathVariable int version,
            @RequestParam int ranks,
            @RequestParam(defaultValue = DEFAULT_BATCH) int batch,
            WebRequest request) {
        byte[] file = ArtifactCodec.decode(artifacts.binary(pool, version))
                .placement(ranks, batch)
                .map(ExpertPlacement::toJson)
                .orElseThrow(() -> Problems.exception(
                        ProblemType.CONFLICT,
                        "Version " + version + " carries no decode patterns, so nothing says which experts its decoders"
                                + " use. Versions made by refits carry them."))
                .getBytes(StandardCharsets.UTF_8);
        String etag = "\"" + ArtifactCodec.sha256Hex(file) + "\"";
        if (EntityTags.isKnown(request, etag)) {
            return ResponseEntity.status(HttpStatus.NOT_MODIFIED).eTag(etag).build();
        }
        return ResponseEntity.ok()
                .eTag(etag)
                .header(
                        HttpHeaders.CONTENT_DISPOSITION,
                        ContentDisposition.attachment()
                                .filename(pool + "-" + version + "-placement-" + ranks + ".json")
                                .build()
                                .toString())
                .body(file);
    }
}
