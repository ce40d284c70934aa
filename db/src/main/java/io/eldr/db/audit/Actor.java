package io.eldr.db.audit;

import io.eldr.db.mapping.Checks;
import java.util.Optional;

/**
 * Who does something.
 *
 * @param name a user, a token's name, or a part of the system that acts by itself
 * @param through the service whose token was used on the user's behalf, if there was one
 */
public record Actor(String name, Optional<String> through) {
    public Actor {
        Checks.text("actor", name, 200);
        through.ifPresent(value -> Checks.text("actingThrough", value, 200));
    }

    public static Actor of(String name) {
        return new Actor(name, Optional.empty());
    }
}
