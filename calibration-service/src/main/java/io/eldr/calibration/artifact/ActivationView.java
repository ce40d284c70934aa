package io.eldr.calibration.artifact;

import io.eldr.calibration.web.Fields;
import io.eldr.db.activation.Activation;
import java.time.Instant;
import java.util.Optional;

/**
 * An activation as the API and the audit log show it.
 *
 * @param generation grows by one with each activation of the pool
 * @param kind {@code activate} or {@code rollback}
 * @param actor who decided it
 * @param actingThrough the service whose token was used on the actor's behalf
 */
record ActivationView(
        String pool,
        long generation,
        int version,
        String kind,
        Instant activatedAt,
        String actor,
        Optional<String> actingThrough,
        Optional<String> reason) {
    static ActivationView of(String pool, Activation activation) {
        return new ActivationView(
                pool,
                activation.generation(),
                activation.version(),
                Fields.word(activation.kind()),
                activation.activatedAt(),
                activation.actor().name(),
                activation.actor().through(),
                activation.reason());
    }
}
