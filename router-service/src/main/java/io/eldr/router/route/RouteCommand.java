package io.eldr.router.route;

import io.eldr.core.load.Lease;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.pool.Pool;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for a decision, checked.
 *
 * @param candidates the only decoders it may go to; empty for any
 * @param exclude decoders it must not go to
 * @param counts the expert counts of its prompt, of the pool's shape
 */
record RouteCommand(
        Pool pool,
        String requestId,
        int promptTokens,
        Optional<String> label,
        Optional<Set<String>> candidates,
        Set<String> exclude,
        boolean dryRun,
        Lease lease,
        Optional<ExpertCounts> counts) {

    private static final int MAX_TEXT = 200;
    private static final int MAX_SLOT = 253;
    private static final int MAX_SLOTS = 1_024;

    static String requestId(@Nullable String requestId) {
        return text("requestId", required("requestId", requestId), MAX_TEXT);
    }

    static int promptTokens(@Nullable Integer promptTokens) {
        int tokens = required("promptTokens", promptTokens);
        if (tokens < 1) {
            throw new InvalidInputException("promptTokens", "must be at least 1 but is " + tokens);
        }
        return tokens;
    }

    static Optional<String> label(@Nullable String label) {
        return Optional.ofNullable(label).map(text -> text("label", text, MAX_TEXT));
    }

    static Optional<Set<String>> candidates(@Nullable List<String> candidates) {
        if (candidates == null) {
            return Optional.empty();
        }
        if (candidates.isEmpty()) {
            throw new InvalidInputException("candidates", "must name at least one decoder, or be absent for any");
        }
        return Optional.of(slots("candidates", candidates));
    }

    static Set<String> exclude(@Nullable List<String> exclude) {
        return exclude == null ? Set.of() : slots("exclude", exclude);
    }

    static Lease lease(@Nullable Integer leaseSeconds, Lease otherwise) {
        return leaseSeconds == null ? otherwise : Lease.ofSeconds(leaseSeconds);
    }

    static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidInputException(field, "is missing");
        }
        return value;
    }

    static String slot(String field, String slot) {
        return text(field, slot, MAX_SLOT);
    }

    private static Set<String> slots(String field, List<String> slots) {
        if (slots.size() > MAX_SLOTS) {
            throw new InvalidInputException(field, "names more than " + MAX_SLOTS + " decoders");
        }
        Set<String> set = new HashSet<>();
        for (int i = 0; i < slots.size(); i++) {
            String name = field + "[" + i + "]";
            set.add(slot(name, required(name, slots.get(i))));
        }
        return set;
    }

    private static String text(String field, String value, int max) {
        if (value.isBlank() || value.length() > max) {
            throw new InvalidInputException(field, "must have 1 to " + max + " characters");
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidInputException(field, "must not contain control characters");
        }
        return value;
    }
}
