package io.eldr.calibration.web;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks of a request's fields; each names the field that it refuses. */
public final class Fields {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private Fields() {}

    public static <T> T required(String field, Optional<T> value) {
        return value.orElseThrow(() -> new InvalidInputException(field, "is missing"));
    }

    /** A name that fits into a path, a label and a file name. */
    public static String name(String field, String value) {
        if (!NAME.matcher(value).matches()) {
            throw new InvalidInputException(
                    field,
                    "must be 1 to 63 letters, digits, dots, underscores or hyphens that begin with a letter or digit");
        }
        return value;
    }

    /** The constant whose name is the value, in lower case. */
    public static <E extends Enum<E>> E oneOf(String field, String value, Class<E> choices) {
        return Arrays.stream(choices.getEnumConstants())
                .filter(choice -> word(choice).equals(value))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(
                        field,
                        "must be one of "
                                + Arrays.stream(choices.getEnumConstants())
                                        .map(Fields::word)
                                        .collect(Collectors.joining(", "))
                                + " but is '" + value + "'"));
    }

    /** A constant as the API writes it. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
