package io.eldr.calibration;

import io.eldr.core.drift.DriftThresholds;
import io.eldr.db.pool.Retention;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How this service runs ({@code eldr.calibration}). A bad value or an unknown property stops the start with its name.
 *
 * @param bodies the largest bodies that are taken
 * @param refit how refits are run
 * @param schema how the database is watched
 * @param samples which samples are kept
 * @param drift from where on pools drift
 * @param pools those that are made at the start
 * @param evaluation how policies are evaluated
 */
@ConfigurationProperties(value = "eldr.calibration", ignoreUnknownFields = false)
public record CalibrationProperties(
        @DefaultValue Bodies bodies,
        @DefaultValue Refit refit,
        @DefaultValue Schema schema,
        @DefaultValue Samples samples,
        @DefaultValue Drift drift,
        @DefaultValue List<DeclaredPool> pools,
        @DefaultValue Evaluation evaluation) {

    private static final DataSize LARGEST = DataSize.ofGigabytes(1);

    public CalibrationProperties {
        pools = List.copyOf(pools);
        Set<String> names = new HashSet<>();
        for (DeclaredPool pool : pools) {
            if (!names.add(pool.name())) {
                throw new IllegalArgumentException("eldr.calibration.pools names '" + pool.name() + "' twice");
            }
        }
    }

    /**
     * @param samples of a body of samples, 1 KB to 1 GB
     * @param artifact of an imported artifact, 1 KB to 1 GB
     * @param other of any other body, 1 KB to 1 GB
     */
    public record Bodies(
            @DefaultValue("64MB") DataSize samples,
            @DefaultValue("64MB") DataSize artifact,
            @DefaultValue("256KB") DataSize other) {
        public Bodies {
            requireSize("samples", samples);
            requireSize("artifact", artifact);
            requireSize("other", other);
        }

        private static void requireSize(String name, DataSize size) {
            if (size.compareTo(DataSize.ofKilobytes(1)) < 0 || size.compareTo(LARGEST) > 0) {
                throw new IllegalArgumentException(
                        "eldr.calibration.bodies." + name + " must be between 1KB and 1GB but is " + size);
            }
        }
    }

    /**
     * @param threads how many refits of different pools this replica runs at once, 1 to 64
     * @param pollInterval how often a replica looks for refits to run, 50 ms to 1 min
     * @param heartbeatInterval how often a replica says that it still runs a refit, 100 ms to 5 min; one that missed
     *     four beats is dead and its refit starts again elsewhere
     * @param progressInterval the shortest time between two writes of a refit's progress, 10 ms to 1 min
     * @param maxAttempts how often a refit is started before it fails for good, 1 to 100
     * @param maxSamples how many of the newest samples a refit reads, 1 to 1,000,000; they are held in memory
     *     and read only as far as a third of the heap goes
     * @param maxOpen how many refits of a pool may wait or run at a time, 1 to 1,000
     * @param observedWithin a decoder that no router has seen for so long is gone, 1 s to 1 h
     * @param scheduleInterval how often it is looked which pools are to be refitted, 50 ms to 5 min
     * @param topologyQuietTime how long decoders that differ from the active version's must stay as they are before the
     *     pool is refitted for them, 0 to 1 day
     */
    public record Refit(
            @DefaultValue("1") int threads,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("5s") Duration heartbeatInterval,
            @DefaultValue("500ms") Duration progressInterval,
            @DefaultValue("5") int maxAttempts,
            @DefaultValue("10000") int maxSamples,
            @DefaultValue("16") int maxOpen,
            @DefaultValue("30s") Duration observedWithin,
            @DefaultValue("2s") Duration scheduleInterval,
            @DefaultValue("30s") Duration topologyQuietTime) {
        /** How many heartbeats in a row a replica may miss before another takes its refit. */
        public static final int MISSED_HEARTBEATS = 4;

        public Refit {
            requireRange("refit.threads", threads, 64);
            requireRange("refit.poll-interval", pollInterval, Duration.ofMillis(50), Duration.ofMinutes(1));
            requireRange("refit.heartbeat-interval", heartbeatInterval, Duration.ofMillis(100), Duration.ofMinutes(5));
            requireRange("refit.progress-interval", progressInterval, Duration.ofMillis(10), Duration.ofMinutes(1));
            requireRange("refit.max-attempts", maxAttempts, 100);
            requireRange("refit.max-samples", maxSamples, 1_000_000);
            requireRange("refit.max-open", maxOpen, 1_000);
            requireRange("refit.observed-within", observedWithin, Duration.ofSeconds(1), Duration.ofHours(1));
            requireRange("refit.schedule-interval", scheduleInterval, Duration.ofMillis(50), Duration.ofMinutes(5));
            requireRange("refit.topology-quiet-time", topologyQuietTime, Duration.ZERO, Duration.ofDays(1));
        }
    }

    /**
     * @param checkInterval how often the service asks whether Postgres answers and its schema is there, 50 ms to 1 min
     * @param patience how long the commands {@code migrate} and {@code await-schema} wait, 0 to 1 day
     */
    public record Schema(
            @DefaultValue("1s") Duration checkInterval,
            @DefaultValue("0s") Duration patience) {
        public Schema {
            requireRange("schema.check-interval", checkInterval, Duration.ofMillis(50), Duration.ofMinutes(1));
            requireRange("schema.patience", patience, Duration.ZERO, Duration.ofDays(1));
        }
    }

    /**
     * @param maxSamples so many of the newest samples are kept in a pool that says nothing else, 1 to 100,000,000
     * @param maxAgeDays older ones are deleted in a pool that says nothing else, 1 to 36,500
     * @param retentionInterval how long after one run of the deletion the next begins, on one of the replicas, 100 ms to
     *     1 day
     * @param retentionBatch how many samples one transaction deletes, 1 to 100,000
     */
    public record Samples(
            @DefaultValue("100000") int maxSamples,
            @DefaultValue("180") int maxAgeDays,
            @DefaultValue("10m") Duration retentionInterval,
            @DefaultValue("1000") int retentionBatch) {
        public Samples {
            requireRange("samples.max-samples", maxSamples, Retention.MOST_SAMPLES);
            requireRange("samples.max-age-days", maxAgeDays, Retention.MOST_DAYS);
            requireRange("samples.retention-interval", retentionInterval, Duration.ofMillis(100), Duration.ofDays(1));
            requireRange("samples.retention-batch", retentionBatch, 100_000);
        }
    }

    /**
     * @param window how many requests with a signature make a window full, 100 to 1,000,000
     * @param psiFactor how many times its expectation without drift the PSI must exceed, 1 to 100
     * @param psiFloor what the PSI must exceed in any case, 0 to 10
     * @param significance how likely a Kolmogorov-Smirnov distance may be without drift to count, 1e-9 to 0.1
     * @param similarityDrop by how much the mean best similarity must have fallen for it to count, 0 to 1
     * @param windowsInRow how many drifted windows in a row raise the alarm, and how many others end it, 1 to 100
     */
    public record Drift(
            @DefaultValue("2000") int window,
            @DefaultValue("4") double psiFactor,
            @DefaultValue("0.1") double psiFloor,
            @DefaultValue("0.001") double significance,
            @DefaultValue("0.02") double similarityDrop,
            @DefaultValue("3") int windowsInRow) {
        public Drift {
            requireRange("drift.window", window, 100, 1_000_000);
            requireRange("drift.psi-factor", psiFactor, 1, 100);
            requireRange("drift.psi-floor", psiFloor, 0, 10);
            requireRange("drift.significance", significance, 1e-9, 0.1);
            requireRange("drift.similarity-drop", similarityDrop, 0, 1);
            requireRange("drift.windows-in-row", windowsInRow, 1, 100);
        }

        /** The same for the core. */
        public DriftThresholds thresholds() {
            return new DriftThresholds(psiFactor, psiFloor, significance, similarityDrop, windowsInRow);
        }
    }

    /**
     * @param arrivals a folder of arrival traces that evaluations may name; empty: there is none
     * @param maxOpen how many evaluations of a pool may wait or run at a time, 1 to 1,000
     */
    public record Evaluation(
            @DefaultValue("") String arrivals,
            @DefaultValue("16") int maxOpen) {
        public Evaluation {
            requireRange("evaluation.max-open", maxOpen, 1_000);
        }
    }

    private static void requireRange(String property, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(
                    "eldr.calibration." + property + " must be between " + min + " and " + max + " but is " + value);
        }
    }

    private static void requireRange(String property, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "eldr.calibration." + property + " must be between " + min + " and " + max + " but is " + value);
        }
    }

    private static void requireRange(String property, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(
                    "eldr.calibration." + property + " must be between 1 and " + max + " but is " + value);
        }
    }
}
