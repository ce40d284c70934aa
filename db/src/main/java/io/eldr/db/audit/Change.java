package io.eldr.db.audit;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.mapping.Checks;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What was done to what.
 *
 * @param action a dotted word such as {@code pool.create} or {@code worker.drain}
 * @param pool the name of the pool that it happened in, if in one
 * @param subject the thing that changed, such as a slot or {@code version 3}
 * @param before the state that it left, as JSON; empty where there was none
 * @param after the state that it made, as JSON; empty where there is none
 */
public record Change(
        String action, Optional<String> pool, String subject, Optional<String> before, Optional<String> after) {
    private static final Pattern ACTION = Pattern.compile("[a-z][a-z.-]{0,63}");

    /** @throws InvalidInputException naming the field that is refused */
    public Change {
        Checks.matching("action", action, ACTION, "a lower-case word, with dots or hyphens");
        pool.ifPresent(value -> Checks.text("pool", value, 63));
        Checks.text("subject", subject, 500);
    }
}
