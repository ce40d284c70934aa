package io.eldr.calibration.sample;

import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.core.trace.SampleBatchForm;
import io.eldr.db.sample.Intake;
import io.eldr.db.sample.SampleStore;
import io.eldr.db.sample.SampleSummary;
import io.eldr.service.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

@RestController
@RequestMapping("/v1/pools/{pool}/samples")
class SampleController {
    private static final MediaType BINARY = MediaType.parseMediaType(SampleBatchForm.MEDIA_TYPE);

    private static final String BINARY_LAYOUT = """
            A body of JSON lines holds one object a line. A body of `application/vnd.eldr.samples` is smaller and \
            cheaper to take in; its numbers are unsigned and little-endian.

            Head, 16 bytes: `ELDS`; u16 version, 1; u16 L; u16 E; u16 0; u32 number of samples.

            Each sample: u32 how many bytes of the sample follow; u8 bytes of a prefill cell, 2 or 4; u8 bytes of a \
            decode cell, 2 or 4, or 0 without decode counts; u16 bytes of the request id; u16 bytes of the label, 0 \
            without one; u16 0; u32 prompt tokens; u32 decoded tokens, 0 without decode counts; then request id and \
            label in UTF-8, the prefill cells [L,E] and the decode cells [L,E], layer-major. Cells are exact: counts \
            above 65,535 take cells of 4 bytes.

            Each layer sums to tokens x k. A refusal names the line or the sample, from 1, and its field. A request \
            id that the pool has already counts as a duplicate, one that is twice in the body is refused.""";

    private final SampleIntake intake;
    private final SampleStore store;
    private final PoolDirectory pools;
    private final SampleForm lines;

    SampleController(SampleIntake intake, SampleStore store, PoolDirectory pools, JsonMapper json) {
        this.intake = intake;
        this.store = store;
        this.pools = pools;
        this.lines = SampleForm.Lines.of(json);
    }

    @Operation(
            summary = "Takes in samples, all of them or none: one JSON object a line, or a batch in bytes",
            description = BINARY_LAYOUT,
            requestBody =
                    @RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = MediaType.APPLICATION_NDJSON_VALUE,
                                        schema = @Schema(implementation = SampleLine.class)),
                                @Content(
                                        mediaType = SampleBatchForm.MEDIA_TYPE,
                                        schema = @Schema(type = "string", format = "binary"))
                            }))
    @PostMapping(consumes = {MediaType.APPLICATION_NDJSON_VALUE, SampleBatchForm.MEDIA_TYPE})
    Intake add(@PathVariable String pool, HttpServletRequest request, Caller caller) throws IOException {
        return intake.take(pool, form(request), request.getInputStream(), caller);
    }

    private SampleForm form(HttpServletRequest request) {
        return Optional.ofNullable(request.getContentType())
                        .map(MediaType::parseMediaType)
                        .filter(BINARY::isCompatibleWith)
                        .isPresent()
                ? new SampleForm.Binary()
                : lines;
    }

    @Operation(summary = "How many samples a pool has, of which labels")
    @GetMapping
    SampleSummary summary(@PathVariable String pool) {
        return store.summary(pools.require(pool).id());
    }
}
