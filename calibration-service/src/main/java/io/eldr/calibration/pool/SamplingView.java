package io.eldr.calibration.pool;

import io.eldr.calibration.web.Fields;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;

/**
 * Which live requests become samples.
 *
 * @param rate their share, 0 to 1
 */
record SamplingView(
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED, minimum = "0", maximum = "1")
        Optional<Double> rate) {
    double required() {
        return Fields.required("sampling.rate", rate);
    }
}
