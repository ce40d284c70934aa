package io.eldr.calibration.pool;

import io.eldr.calibration.web.Fields;
import io.eldr.db.worker.Probe;
import io.eldr.db.worker.WorkerRole;
import io.eldr.db.worker.WorkerSpec;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a slot is to be used.
 *
 * @param url where the worker answers, http or https
 * @param weight its capacity beside the others', 1 if absent
 * @param maxInFlight absent: any number
 * @param probe how routers learn whether it is up: by its health path, or not at all; {@code http} if absent
 * @param revision the model revision that it runs
 */
record WorkerDeclaration(
        @Schema(
                requiredMode = Schema.RequiredMode.REQUIRED,
                allowableValues = {"decode", "prefill"})
        Optional<String> role,

        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Optional<String> url,
        Optional<Double> weight,
        Optional<Integer> maxInFlight,

        @Schema(allowableValues = {"http", "none"}) Optional<String> probe,

        Optional<String> revision) {
    WorkerSpec spec() {
        return new WorkerSpec(
                Fields.oneOf("role", Fields.required("role", role), WorkerRole.class),
                Fields.required("url", url),
                weight.orElse(1.0),
                maxInFlight.map(OptionalInt::of).orElseGet(OptionalInt::empty),
                Fields.oneOf("probe", probe.orElse("http"), Probe.class),
                revision);
    }
}
