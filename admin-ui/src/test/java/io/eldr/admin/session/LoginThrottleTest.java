package io.eldr.admin.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LoginThrottleTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final LoginThrottle throttle = new LoginThrottle(3, Duration.ofMinutes(1), () -> now);

    @Test
    void letsAFewFailuresPass() {
        fail("ada", "10.0.0.1", 2);

        assertThat(throttle.mustWait("ada", "10.0.0.1")).isEmpty();
    }

    @Test
    void makesAUserWaitWhoeverTries() {
        fail("ada", "10.0.0.1", 3);

        assertThat(throttle.mustWait("ada", "10.0.0.2")).contains(Duration.ofMinutes(1));
    }

    @Test
    void makesAnAddressWaitWhomeverItTries() {
        throttle.failed("a", "10.0.0.1");
        throttle.failed("b", "10.0.0.1");
        throttle.failed("c", "10.0.0.1");

        assertThat(throttle.mustWait("d", "10.0.0.1")).isPresent();
        assertThat(throttle.mustWait("d", "10.0.0.2")).isEmpty();
    }

    @Test
    void forgetsAfterTheWait() {
        fail("ada", "10.0.0.1", 3);
        now = now.plus(Duration.ofMinutes(1));

        assertThat(throttle.mustWait("ada", "10.0.0.1")).isEmpty();
        throttle.failed("ada", "10.0.0.1");
        assertThat(throttle.mustWait("ada", "10.0.0.1")).isEmpty();
    }

    @Test
    void forgetsWithASuccess() {
        fail("ada", "10.0.0.1", 2);
        throttle.succeeded("ada", "10.0.0.1");
        fail("ada", "10.0.0.1", 2);

        assertThat(throttle.mustWait("ada", "10.0.0.1")).isEmpty();
    }

    @Test
    void staysSmallUnderAFloodOfNames() {
        for (int i = 0; i < 50_000; i++) {
            throttle.failed("user" + i, "10.0.0." + i);
        }

        assertThat(throttle.remembered()).isEqualTo(10_000);
    }

    private void fail(String user, String address, int times) {
        for (int i = 0; i < times; i++) {
            throttle.failed(user, address);
        }
    }
}
