package io.eldr.calibration.sample;

import io.eldr.calibration.pool.PoolDirectory;
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
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/pools/{pool}/samples")
class SampleController {
    private final SampleIntake intake;
    private final SampleStore store;
    private final PoolDirectory pools;

    SampleController(SampleIntake intake, SampleStore store, PoolDirectory pools) {
        this.intake = intake;
        this.store = store;
        this.pools = pools;
    }

    @Operation(
            summary = "Takes in samples, one JSON object a line: all of them or none",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_NDJSON_VALUE,
                                            schema = @Schema(implementation = SampleLine.class))))
    @PostMapping(consumes = MediaType.APPLICATION_NDJSON_VALUE)
    Intake add(@PathVariable String pool, HttpServletRequest request, Caller caller) throws IOException {
        return intake.take(pool, request.getInputStream(), caller);
    }

    @Operation(summary = "How many samples a pool has, of which labels")
    @GetMapping
    SampleSummary summary(@PathVariable String pool) {
        return store.summary(pools.require(pool).id());
    }
}
