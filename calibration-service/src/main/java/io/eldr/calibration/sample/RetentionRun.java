package io.eldr.calibration.sample;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.telemetry.CalibrationMetrics;
import io.eldr.calibration.telemetry.CalibrationMetrics.Deletion;
import io.eldr.db.pool.Pool;
import io.eldr.db.pool.PoolRepository;
import io.eldr.db.sample.SampleRetention;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Deletes the samples that pools need not keep, by short transactions, until none are left or it is interrupted. */
@Component
class RetentionRun {
    private static final Logger log = LoggerFactory.getLogger(RetentionRun.class);

    private final PoolRepository pools;
    private final SampleRetention samples;
    private final CalibrationMetrics metrics;
    private final InstantSource clock;
    private final CalibrationProperties.Samples defaults;

    RetentionRun(
            PoolRepository pools,
            SampleRetention samples,
            CalibrationMetrics metrics,
            InstantSource clock,
            CalibrationProperties properties) {
        this.pools = pools;
        this.samples = samples;
        this.metrics = metrics;
        this.clock = clock;
        this.defaults = properties.samples();
    }

    void run() {
        for (Pool pool : pools.findAll()) {
            Instant oldest = clock.instant()
                    .minus(Duration.ofDays(pool.retention().maxAgeDays().orElse(defaults.maxAgeDays())));
            delete(pool.name(), Deletion.AGE, () -> samples.deleteOlderThan(pool.id(), oldest, batch()));
            OptionalLong beyond = samples.newestBeyond(
                    pool.id(), pool.retention().maxSamples().orElse(defaults.maxSamples()));
            beyond.ifPresent(
                    id -> delete(pool.name(), Deletion.COUNT, () -> samples.deleteUpTo(pool.id(), id, batch())));
        }
        for (long pool : samples.deletedPools()) {
            delete("of the key " + pool, Deletion.POOL, () -> samples.deleteUpTo(pool, Long.MAX_VALUE, batch()));
        }
    }

    private int batch() {
        return defaults.retentionBatch();
    }

    private void delete(String pool, Deletion reason, IntSupplier next) {
        long total = 0;
        int deleted = batch();
        while (deleted == batch() && !Thread.currentThread().isInterrupted()) {
            deleted = next.getAsInt();
            metrics.deletedSamples(reason, deleted);
            total += deleted;
        }
        if (total > 0) {
            log.info("Deleted {} samples of pool {} by {}", total, pool, reason);
        }
    }
}
