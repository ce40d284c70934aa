package io.eldr.calibration.artifact;

import io.eldr.calibration.web.EntityTags;
import io.eldr.service.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

@RestController
@RequestMapping("/v1/pools/{pool}/artifacts")
class ArtifactController {
    /** The SHA-256 of the binary in hex, as the registry has it. */
    static final String SHA256_HEADER = "X-Eldr-Artifact-Sha256";

    private final ArtifactService artifacts;
    private final ArtifactImport imports;

    ArtifactController(ArtifactService artifacts, ArtifactImport imports) {
        this.artifacts = artifacts;
        this.imports = imports;
    }

    @Operation(summary = "The versions of a pool, newest first")
    @GetMapping
    List<ArtifactView> all(@PathVariable String pool) {
        return artifacts.all(pool);
    }

    @Operation(summary = "One version with the report of its refit")
    @GetMapping("/{version}")
    ArtifactView one(@PathVariable String pool, @PathVariable int version) {
        return artifacts.one(pool, version);
    }

    @Operation(summary = "The binary of a version; its ETag is the SHA-256")
    @ApiResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @ApiResponse(responseCode = "304", description = "The caller has it already", content = @Content)
    @GetMapping(value = "/{version}/binary", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    ResponseEntity<byte[]> binary(@PathVariable String pool, @PathVariable int version, WebRequest request) {
        String sha256 = artifacts.sha256(pool, version);
        String etag = "\"" + sha256 + "\"";
        if (EntityTags.isKnown(request, etag)) {
            return ResponseEntity.status(HttpStatus.NOT_MODIFIED).eTag(etag).build();
        }
        return ResponseEntity.ok()
                .eTag(etag)
                .header(SHA256_HEADER, sha256)
                .header(HttpHeaders.CONTENT_DISPOSITION, attachment(pool + "-" + version + ".eldr"))
                .body(artifacts.binary(pool, version));
    }

    @Operation(summary = "A version as the ELDR authors' router file")
    @ApiResponse(
            responseCode = "200",
            content = @Content(mediaType = MediaType.APPLICATION_JSON_VALUE, schema = @Schema(type = "object")))
    @GetMapping(value = "/{version}/router.json", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> authorsJson(@PathVariable String pool, @PathVariable int version) {
        return ResponseEntity.ok()
                .header(HttpHeaders.CONTENT_DISPOSITION, attachment(pool + "-" + version + "-router.json"))
                .body(artifacts.authorsJson(pool, version));
    }

    @Operation(
            summary = "Takes an artifact as a new version: the binary, or the ELDR authors' router file as JSON",
            requestBody =
                    @io.swagger.v3.oas.annotations.parameters.RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                                        schema = @Schema(type = "object")),
                                @Content(
                                        mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                                        schema = @Schema(type = "string", format = "binary"))
                            }))
    @ApiResponse(responseCode = "201", description = "Published, not activated")
    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_OCTET_STREAM_VALUE})
    ResponseEntity<ArtifactView> add(@PathVariable String pool, HttpServletRequest request, Caller caller)
            throws IOException {
        byte[] body = request.getInputStream().readAllBytes();
        boolean binary = Optional.ofNullable(request.getContentType())
                .map(MediaType::parseMediaType)
                .filter(MediaType.APPLICATION_OCTET_STREAM::isCompatibleWith)
                .isPresent();
        ArtifactView published = binary ? imports.binary(pool, body, caller) : imports.authorsJson(pool, body, caller);
        return ResponseEntity.created(URI.create("/v1/pools/" + pool + "/artifacts/" + published.version()))
                .body(published);
    }

    private static String attachment(String name) {
        return ContentDisposition.attachment().filename(name).build().toString();
    }
}
