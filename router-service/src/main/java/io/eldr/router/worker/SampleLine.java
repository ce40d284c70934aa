package io.eldr.router.worker;

import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What follows the name in a line of Prometheus' text format: labels in braces, a value, perhaps a time.
 *
 * @param value empty unless it is a number of at least 0 that a count can have
 * @param bound the label {@code le}, the upper bound of a histogram's bucket
 * @param rank the label {@code engine} or {@code dp_rank}, the data-parallel rank that it is about
 */
record SampleLine(OptionalDouble value, OptionalDouble bound, OptionalInt rank) {
    private static final double MOST = 1e12;
    private static final SampleLine MALFORMED =
            new SampleLine(OptionalDouble.empty(), OptionalDouble.empty(), OptionalInt.empty());

    static SampleLine read(byte[] line, int length) {
        int at = 0;
        OptionalDouble bound = OptionalDouble.empty();
        OptionalInt rank = OptionalInt.empty();
        if (length > 0 && line[0] == '{') {
            at = 1;
            while (at < length && line[at] != '}') {
                int equals = indexOf(line, at, length, '=');
                int quote = equals + 1;
                if (equals < 0 || quote >= length || line[quote] != '"') {
                    return MALFORMED;
                }
                int end = endOfQuoted(line, quote + 1, length);
                if (end < 0) {
                    return MALFORMED;
                }
                switch (text(line, at, equals)) {
                    case "le" -> bound = number(text(line, quote + 1, end));
                    case "engine", "dp_rank" -> rank = rank(text(line, quote + 1, end));
                    default -> {
                        // Labels that say nothing of load.
                    }
                }
                at = end + 1;
                while (at < length && (line[at] == ',' || line[at] == ' ')) {
                    at++;
                }
            }
            at++;
        }
        if (at >= length) {
            return MALFORMED;
        }
        String rest = text(line, at, length).strip();
        int space = rest.indexOf(' ');
        OptionalDouble value = number(space < 0 ? rest : rest.substring(0, space));
        boolean sane = value.isPresent() && value.getAsDouble() >= 0 && value.getAsDouble() <= MOST;
        return sane ? new SampleLine(value, bound, rank) : MALFORMED;
    }

    private static int indexOf(byte[] line, int from, int length, char wanted) {
        for (int i = from; i < length; i++) {
            if (line[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** Where the closing quote is; a backslash takes the next byte with it. */
    private static int endOfQuoted(byte[] line, int from, int length) {
        for (int i = from; i < length; i++) {
            if (line[i] == '\\') {
                i++;
            } else if (line[i] == '"') {
                return i;
            }
        }
        return -1;
    }

    private static String text(byte[] line, int from, int to) {
        return new String(line, from, to - from, StandardCharsets.UTF_8);
    }

    private static OptionalInt rank(String text) {
        try {
            return OptionalInt.of(Integer.parseUnsignedInt(text));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    private static OptionalDouble number(String text) {
        if (text.equals("+Inf") || text.equals("Inf")) {
            return OptionalDouble.of(Double.POSITIVE_INFINITY);
        }
        try {
            double value = Double.parseDouble(text);
            return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}
