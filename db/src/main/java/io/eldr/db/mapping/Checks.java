package io.eldr.db.mapping;

import io.eldr.core.signature.InvalidInputException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of values on their way into the registry. Each names the field that it refuses. */
public final class Checks {
    private Checks() {}

    /** @throws InvalidInputException if the text is blank, longer than {@code max} or not text to Postgres */
    public static String text(String field, String value, int max) {
        if (value.isBlank()) {
            throw new InvalidInputException(field, "must not be blank");
        }
        if (value.length() > max) {
            throw new InvalidInputException(
                    field, "must have at most " + max + " characters but has " + value.length());
        }
        if (value.codePoints().anyMatch(c -> c == 0 || Character.getType(c) == Character.SURROGATE)) {
            throw new InvalidInputException(field, "must not contain NUL or half a surrogate pair");
        }
        return value;
    }

    /** Like {@link #text(String, String, int)} for a text that is shown in one line: without control characters too. */
    public static String line(String field, String value, int max) {
        text(field, value, max);
        if (value.codePoints().anyMatch(Checks::endsOrControlsALine)) {
            throw new InvalidInputException(field, "must not contain control characters or line breaks");
        }
        return value;
    }

    private static boolean endsOrControlsALine(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /** Like {@link #text(String, String, int)} for a text that may be absent, as the column holds it. */
    public static @Nullable String text(String field, Optional<String> value, int max) {
        return value.isPresent() ? text(field, value.get(), max) : null;
    }

    public static String matching(String field, String value, Pattern pattern, String description) {
        if (!pattern.matcher(value).matches()) {
            throw new InvalidInputException(field, "must be " + description);
        }
        return value;
    }

    public static int range(String field, int value, int min, int max) {
        if (value < min || value > max) {
            throw new InvalidInputException(field, "must be between " + min + " and " + max + " but is " + value);
        }
        return value;
    }

    /** @throws InvalidInputException if the number is outside [min, max] or not a number */
    public static double range(String field, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new InvalidInputException(field, "must be between " + min + " and " + max + " but is " + value);
        }
        return value;
    }
}
