package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.signature.InvalidInputException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SwitchbackRuleTest {
    private static final SwitchbackRule HALF_HOURS = new SwitchbackRule(PolicyName.ELDR, PolicyName.JSQ, 30);

    @Test
    void policiesTakeTurnsByTheClock() {
        Instant noon = Instant.parse("2026-01-01T12:00:00Z");
        SwitchbackRule.Window first = HALF_HOURS.windowAt(noon);
        assertThat(first.start()).isEqualTo(noon);
        assertThat(first.end()).isEqualTo(noon.plus(Duration.ofMinutes(30)));
        assertThat(HALF_HOURS.windowAt(first.end().minusNanos(1))).isEqualTo(first);
        SwitchbackRule.Window second = HALF_HOURS.windowAt(first.end());
        assertThat(second.index()).isEqualTo(first.index() + 1);
        assertThat(second.policy()).isNotEqualTo(first.policy());
        assertThat(HALF_HOURS.windowAt(second.end()).policy()).isEqualTo(first.policy());
        assertThat(HALF_HOURS.windowAt(Instant.EPOCH).policy()).isEqualTo(PolicyName.ELDR);
    }

    @Test
    void whatRanBeforeItSettledOrAfterItEndedDoesNotCount() {
        SwitchbackRule.Window window = HALF_HOURS.windowAt(Instant.parse("2026-01-01T12:10:00Z"));
        assertThat(window.settled()).isEqualTo(window.start().plusSeconds(60));
        assertThat(window.holds(window.settled(), window.end().minusMillis(1))).isTrue();
        assertThat(window.holds(window.settled().minusMillis(1), window.end().minusMillis(1)))
                .isFalse();
        assertThat(window.holds(window.settled(), window.end())).isFalse();
        assertThat(new SwitchbackRule(PolicyName.ELDR, PolicyName.JSQ, 1).washout())
                .isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void whatMakesNoTrialIsRefusedByName() {
        assertRefused("switchback.policies", PolicyName.JSQ, 5);
        assertRefused("switchback.minutes", PolicyName.ELDR, 0);
        assertRefused("switchback.minutes", PolicyName.ELDR, 1_441);
    }

    private static void assertRefused(String field, PolicyName first, int minutes) {
        assertThatThrownBy(() -> new SwitchbackRule(first, PolicyName.JSQ, minutes))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo(field));
    }
}
