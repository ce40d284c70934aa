package io.eldr.calibration.pool;

import io.eldr.calibration.web.Fields;
import io.eldr.core.routing.HotRule;
import io.eldr.db.pool.Pool;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A pool as the API and the audit log show it. */
record PoolView(
        String name,
        String model,
        Optional<String> revision,
        int layers,
        int experts,
        int topK,
        List<String> aliases,
        String dialect,
        Optional<String> engineModel,
        List<String> adapters,
        String policy,

        @Schema(
                types = {"string", "number"},
                description = "auto: what the artifact recommends; else 0 to 2")
        Tau tau,

        Optional<Integer> minCandidates,
        Optional<HotRule> hot,
        Optional<RoutingSettings.ShadowView> shadow,
        Optional<RoutingSettings.SwitchbackView> switchback,
        String mode,
        boolean pinned,
        ScheduleView schedule,
        RetentionView retention,
        SamplingView sampling,
        Instant createdAt,
        Instant updatedAt) {
    static PoolView of(Pool pool, ScheduleView schedule) {
        return new PoolView(
                pool.name(),
                pool.model(),
                pool.revision(),
                pool.geometry().layers(),
                pool.geometry().experts(),
                pool.geometry().topK(),
                pool.aliases(),
                pool.dialect().id(),
                pool.engineModel(),
                pool.adapters(),
                pool.policy(),
                new Tau(pool.tau()),
                pool.minCandidates().isPresent()
                        ? Optional.of(pool.minCandidates().getAsInt())
                        : Optional.empty(),
                pool.hot(),
                pool.shadow().map(RoutingSettings.ShadowView::of),
                pool.switchback().map(RoutingSettings.SwitchbackView::of),
                Fields.word(pool.mode()),
                pool.pinned(),
                schedule,
                RetentionView.of(pool.retention()),
                new SamplingView(Optional.of(pool.samplingRate())),
                pool.createdAt(),
                pool.updatedAt());
    }
}
