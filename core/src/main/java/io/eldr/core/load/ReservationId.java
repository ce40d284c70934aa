package io.eldr.core.load;

import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a reservation, written {@code <router>.<16 hexadecimal digits>}.
 *
 * @param router the id of the router instance that holds the reservation, so that any other knows whom to ask; letters,
 *     digits, {@code -} and {@code _}
 * @param key distinct among the reservations of that instance
 */
public record ReservationId(String router, long key) {
    private static final Pattern ROUTER = Pattern.compile("[A-Za-z0-9_-]{1,128}");
    private static final int KEY_DIGITS = 16;

    /** @throws IllegalArgumentException if the router's id has other characters or more than 128 */
    public ReservationId {
        if (!ROUTER.matcher(router).matches()) {
            throw new IllegalArgumentException("router instance id must match " + ROUTER + " but is '" + router + "'");
        }
    }

    /** Reads what {@link #toString} wrote; empty for anything else. */
    public static Optional<ReservationId> parse(String text) {
        int dot = text.length() - KEY_DIGITS - 1;
        if (dot < 1
                || text.charAt(dot) != '.'
                || !ROUTER.matcher(text.substring(0, dot)).matches()) {
            return Optional.empty();
        }
        for (int i = dot + 1; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (!(digit >= '0' && digit <= '9') && !(digit >= 'a' && digit <= 'f')) {
                return Optional.empty();
            }
        }
        return Optional.of(
                new ReservationId(text.substring(0, dot), HexFormat.fromHexDigitsToLong(text, dot + 1, text.length())));
    }

    @Override
    public String toString() {
        return router + "." + HexFormat.of().toHexDigits(key);
    }
}
