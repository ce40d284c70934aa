package io.eldr.calibration.drift;

import io.eldr.calibration.web.Limits;
import io.swagger.v3.oas.annotations.Operation;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/pools/{pool}")
class DriftController {
    private static final String WINDOWS = "20";

    private final DriftIntake intake;
    private final DriftReader reader;

    DriftController(DriftIntake intake, DriftReader reader) {
        this.intake = intake;
        this.reader = reader;
    }

    @Operation(
            summary = "Takes what a router observed of a pool's requests since its last post",
            description = "Posts of all routers are merged into windows. A post that comes again counts once; one of a"
                    + " generation that serves no more is ignored, and so is one of an artifact without held-out"
                    + " statistics.")
    @PostMapping("/observations")
    ObservationAnswer observe(@PathVariable String pool, @RequestBody ObservationPost post) {
        return intake.take(pool, post);
    }

    @Operation(summary = "Whether the pool drifts from what its active artifact was fitted on, with the newest windows")
    @GetMapping("/drift")
    DriftView drift(@PathVariable String pool, @RequestParam(defaultValue = WINDOWS) int limit) {
        return reader.read(pool, Limits.check(limit));
    }
}
