package io.eldr.calibration.pool;

import io.eldr.calibration.web.Fields;
import io.eldr.db.worker.Worker;
import io.eldr.db.worker.WorkerSpec;
import java.time.Instant;
import java.util.Optional;

/** A declared worker as the API and the audit log show it. */
record WorkerView(
        String slot,
        String role,
        String url,
        double weight,
        Optional<Integer> maxInFlight,
        String probe,
        Optional<String> revision,
        String source,
        String desiredState,
        Instant createdAt,
        Instant updatedAt) {
    static WorkerView of(Worker worker) {
        WorkerSpec spec = worker.spec();
        return new WorkerView(
                worker.slot(),
                Fields.word(spec.role()),
                spec.url(),
                spec.weight(),
                spec.maxInFlight().isPresent() ? Optional.of(spec.maxInFlight().getAsInt()) : Optional.empty(),
                Fields.word(spec.probe()),
                spec.revision(),
                Fields.word(worker.source()),
                Fields.word(worker.desiredState()),
                worker.createdAt(),
                worker.updatedAt());
    }
}
