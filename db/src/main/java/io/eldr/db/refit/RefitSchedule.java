package io.eldr.db.refit;

import io.eldr.db.mapping.Checks;
import io.eldr.db.mapping.DatabaseTime;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/**
 * When a pool is refitted without being asked. It is read and changed under the pool's lock, so that each occasion is taken
 * once, by whichever replica is first.
 */
@Entity
public class RefitSchedule {
    /** The time zone where none is named. */
    public static final String UTC = "UTC";

    private static final int MOST_SAMPLES = 1_000_000_000;

    @Id
    private long poolId;

    private @Nullable String cron;
    private String zone;
    private @Nullable Integer afterSamples;
    private boolean onDrift;
    private boolean onTopology;
    private @Nullable Instant nextCron;

    @JdbcTypeCode(SqlTypes.ARRAY)
    private @Nullable List<String> seenSlots;

    private @Nullable Instant seenSince;

    @Version
    private @Nullable Integer lockVersion;

    protected RefitSchedule() {}

    /** The one of a pool that nothing was said about: at no time, after no number of samples, on drift and topology. */
    public RefitSchedule(long poolId) {
        this.poolId = poolId;
        this.zone = UTC;
        this.onDrift = true;
        this.onTopology = true;
    }

    /**
     * @param cronExpression as {@link RefitTimes} reads it; empty: at no time
     * @param at times that are over by then do not count
     */
    public void changeTimes(Optional<String> cronExpression, String zoneName, Instant at) {
        RefitTimes.zone(zoneName);
        nextCron = cronExpression
                .map(text -> new RefitTimes(text, zoneName).after(at))
                .orElse(null);
        cron = cronExpression.orElse(null);
        zone = zoneName;
    }

    /** @param count so many samples newer than the last refit ask for one; empty: any number does not */
    public void changeAfterSamples(OptionalInt count) {
        afterSamples = count.isPresent()
                ? Integer.valueOf(Checks.range("schedule.afterSamples", count.getAsInt(), 1, MOST_SAMPLES))
                : null;
    }

    public void changeOnDrift(boolean wanted) {
        onDrift = wanted;
    }

    public void changeOnTopology(boolean wanted) {
        onTopology = wanted;
        agree();
    }

    /** Whether a time of its cron has come. */
    public boolean isDue(Instant now) {
        return nextCron != null && !nextCron.isAfter(now);
    }

    /** The time that had come was used; all that passed since count as one. */
    public void takeTurn(Instant now) {
        if (cron != null) {
            nextCron = new RefitTimes(cron, zone).after(now);
        }
    }

    /**
     * The decoders differ from those of the active version.
     *
     * @return whether they were not seen like this before; then {@link #seenSince} begins anew
     */
    public boolean differ(List<String> decoders, Instant now) {
        if (decoders.equals(seenSlots)) {
            return false;
        }
        seenSlots = List.copyOf(decoders);
        seenSince = DatabaseTime.of(now);
        return true;
    }

    /** The decoders are those of the active version. */
    public void agree() {
        seenSlots = null;
        seenSince = null;
    }

    public long poolId() {
        return poolId;
    }

    public Optional<String> cron() {
        return Optional.ofNullable(cron);
    }

    public String zone() {
        return zone;
    }

    public OptionalInt afterSamples() {
        return afterSamples == null ? OptionalInt.empty() : OptionalInt.of(afterSamples);
    }

    public boolean onDrift() {
        return onDrift;
    }

    public boolean onTopology() {
        return onTopology;
    }

    /** Since when the decoders have been what they are, if they differ from those of the active version. */
    public Optional<Instant> seenSince() {
        return Optional.ofNullable(seenSince);
    }

    /** When its cron asks for a refit next. */
    public Optional<Instant> nextCron() {
        return Optional.ofNullable(nextCron);
    }
}
