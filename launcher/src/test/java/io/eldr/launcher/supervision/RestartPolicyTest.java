package io.eldr.launcher.supervision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final RestartPolicy.History history = RestartPolicy.DEFAULT.begin(now::get);

    @Test
    void waitsLongerEachTimeAndGivesUpAfterFiveAMinute() {
        assertThat(history.next()).contains(Duration.ofMillis(500));
        assertThat(history.next()).contains(Duration.ofSeconds(1));
        assertThat(history.next()).contains(Duration.ofSeconds(2));
        assertThat(history.next()).contains(Duration.ofSeconds(4));
        assertThat(history.next()).contains(Duration.ofSeconds(8));
        assertThat(history.next()).isEmpty();
    }

    @Test
    void restartsOlderThanAMinuteDoNotCount() {
        for (int i = 0; i < 5; i++) {
            history.next();
        }

        later(Duration.ofSeconds(60));

        assertThat(history.next()).contains(Duration.ofMillis(500));
    }

    @Test
    void aRestartStillCountsJustBeforeAMinuteIsOver() {
        history.next();

        later(Duration.ofMillis(59_999));

        assertThat(history.next()).contains(Duration.ofSeconds(1));
    }

    @Test
    void aChildThatDiesNowAndThenIsAlwaysStartedAgain() {
        for (int i = 0; i < 100; i++) {
            assertThat(history.next()).isPresent();
            later(Duration.ofSeconds(13));
        }
    }

    @Test
    void neverWaitsLongerThanTheLongestDelay() {
        RestartPolicy.History patient = new RestartPolicy(
                        50, Duration.ofHours(1), Duration.ofSeconds(1), Duration.ofSeconds(10))
                .begin(now::get);

        for (int i = 0; i < 50; i++) {
            assertThat(patient.next().orElseThrow()).isLessThanOrEqualTo(Duration.ofSeconds(10));
        }
    }

    @Test
    void refusesADelayThatIsLongerThanTheLongest() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new RestartPolicy(1, Duration.ofHours(1), Duration.ofSeconds(2), Duration.ofSeconds(1)));
    }

    private void later(Duration duration) {
        now.updateAndGet(instant -> instant.plus(duration));
    }
}
