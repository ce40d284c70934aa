package io.eldr.launcher.simulate;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Options that name several values with commas between. */
final class Lists {
    private Lists() {}

    static <T> List<T> of(String text, Function<String, T> parsed) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).map(parsed).toList();
    }

    static double number(String option, String text) {
        if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            throw new InvalidInputException(option, "must be a number of at least 0 but is '" + text + "'");
        }
        return Double.parseDouble(text);
    }

    static int integer(String option, String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new InvalidInputException(option, "must be a whole number but is '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
