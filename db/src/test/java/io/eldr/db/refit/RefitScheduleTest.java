package io.eldr.db.refit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.RegistryTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;

class RefitScheduleTest extends RegistryTest {
    private static final Instant EVENING = Instant.parse("2026-03-01T20:00:00Z");

    @Autowired
    private RefitScheduleRepository schedules;

    @Test
    void defaultsToDriftAndTopologyAlone() {
        RefitSchedule schedule = schedules.of(newPool().id());
        assertThat(schedule.cron()).isEmpty();
        assertThat(schedule.afterSamples()).isEmpty();
        assertThat(schedule.onDrift()).isTrue();
        assertThat(schedule.onTopology()).isTrue();
    }

    @Test
    void keepsWhatItWasGiven() {
        RefitSchedule schedule = new RefitSchedule(newPool().id());
        schedule.changeTimes(Optional.of("0 0 3 * * *"), "Europe/Berlin", EVENING);
        schedule.changeAfterSamples(OptionalInt.of(1_000));
        schedule.changeOnDrift(false);
        schedule.differ(List.of("b", "a"), NOON);
        schedules.saveAndFlush(schedule);
        RefitSchedule read = schedules.of(schedule.poolId());
        assertThat(read.cron()).contains("0 0 3 * * *");
        assertThat(read.zone()).isEqualTo("Europe/Berlin");
        assertThat(read.nextCron()).contains(Instant.parse("2026-03-02T02:00:00Z"));
        assertThat(read.afterSamples()).hasValue(1_000);
        assertThat(read.onDrift()).isFalse();
        assertThat(read.seenSince()).contains(NOON);
        read.changeTimes(Optional.empty(), "UTC", EVENING);
        schedules.saveAndFlush(read);
        assertThat(schedules.of(schedule.poolId()).nextCron()).isEmpty();
    }

    @Test
    void makesUpOnceForAllTimesThatPassed() {
        RefitSchedule schedule = new RefitSchedule(1);
        schedule.changeTimes(Optional.of("0 0 * * * *"), "UTC", EVENING);
        assertThat(schedule.isDue(EVENING)).isFalse();
        Instant muchLater = EVENING.plus(Duration.ofDays(3)).plusSeconds(1);
        assertThat(schedule.isDue(muchLater)).isTrue();
        schedule.takeTurn(muchLater);
        assertThat(schedule.isDue(muchLater)).isFalse();
        assertThat(schedule.nextCron()).contains(Instant.parse("2026-03-04T21:00:00Z"));
    }

    @Test
    void beginsToWaitAnewWhenDecodersChangeAgain() {
        RefitSchedule schedule = new RefitSchedule(1);
        assertThat(schedule.differ(List.of("a"), NOON)).isTrue();
        assertThat(schedule.differ(List.of("a"), NOON.plusSeconds(9))).isFalse();
        assertThat(schedule.seenSince()).contains(NOON);
        assertThat(schedule.differ(List.of("a", "b"), NOON.plusSeconds(10))).isTrue();
        assertThat(schedule.seenSince()).contains(NOON.plusSeconds(10));
        schedule.agree();
        assertThat(schedule.seenSince()).isEmpty();
    }

    @ParameterizedTest(name = "{0} in {1} -> {2}")
    @CsvSource({
        "0 3 * * *, UTC, schedule.cron",
        "every night, UTC, schedule.cron",
        "0 0 25 * * *, UTC, schedule.cron",
        "0 0 0 31 2 *, UTC, schedule.cron",
        "'', UTC, schedule.cron",
        "0 0 3 * * *, Mars/Olympus, schedule.zone",
        "0 0 3 * * *, '', schedule.zone"
    })
    void namesTheFieldThatItRefuses(String cron, String zone, String field) {
        RefitSchedule schedule = new RefitSchedule(1);
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> schedule.changeTimes(Optional.of(cron), zone, EVENING))
                .matches(refusal -> refusal.field().equals(field));
        assertThat(schedule.cron()).isEmpty();
    }
}
