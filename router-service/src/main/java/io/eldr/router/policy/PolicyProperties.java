package io.eldr.router.policy;

import io.eldr.core.routing.StarvationRule;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How policies are kept and tried ({@code eldr.router.policies}). A bad value or an unknown property stops the start with
 * its name.
 */
@ConfigurationProperties(value = "eldr.router.policies", ignoreUnknownFields = false)
record PolicyProperties(
        @DefaultValue Starvation starvation, @DefaultValue Shadow shadow) {

    /**
     * When policies eldr and union relieve a decoder that stands idle.
     *
     * @param guard whether it does
     * @param after how long it must have stood idle, 0 to 1 h
     * @param factor how many times the mean load another must have had all that time, above 1 and at most 100
     */
    record Starvation(
            @DefaultValue("true") boolean guard,
            @DefaultValue("5s") Duration after,
            @DefaultValue("2") double factor) {
        Starvation {
            if (after.isNegative() || after.compareTo(Duration.ofHours(1)) > 0) {
                throw new IllegalArgumentException(
                        "eldr.router.policies.starvation.after must be between PT0S and PT1H but is " + after);
            }
            if (!(factor > 1 && factor <= 100)) {
                throw new IllegalArgumentException(
                        "eldr.router.policies.starvation.factor must be above 1 and at most 100 but is " + factor);
            }
        }

        Optional<StarvationRule> rule() {
            return guard ? Optional.of(new StarvationRule(factor, after)) : Optional.empty();
        }
    }

    /**
     * How shadow policies run.
     *
     * @param sample the share of decisions that a shadow decides too, 0 to 1
     * @param queue how many decisions may wait for the shadow, 1 to 65,536; more are left out
     */
    record Shadow(
            @DefaultValue("1") double sample,
            @DefaultValue("256") int queue) {
        Shadow {
            if (!(sample >= 0 && sample <= 1)) {
                throw new IllegalArgumentException(
                        "eldr.router.policies.shadow.sample must be between 0 and 1 but is " + sample);
            }
            if (queue < 1 || queue > 65_536) {
                throw new IllegalArgumentException(
                        "eldr.router.policies.shadow.queue must be between 1 and 65536 but is " + queue);
            }
        }
    }
}
