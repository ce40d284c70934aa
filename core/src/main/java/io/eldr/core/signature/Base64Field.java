package io.eldr.core.signature;

import java.util.Base64;

/** Base64 text, mostly of a known number of bytes. */
final class Base64Field {
    private Base64Field() {}

    /**
     * @param shape what the bytes hold, for the refusal
     * @throws InvalidInputException if the text is not base64, or not of exactly {@code length} bytes
     */
    static byte[] decode(String field, String text, int length, String shape) {
        // A text that is far too long is refused before it is decoded.
        if (text.length() > encodedLength(length)) {
            throw new InvalidInputException(
                    field,
                    "has " + text.length() + " characters but " + shape + " takes " + encodedLength(length)
                            + " characters of base64");
        }
        byte[] bytes = decode(field, text);
        if (bytes.length != length) {
            throw new InvalidInputException(
                    field, "holds " + bytes.length + " bytes but " + shape + " takes " + length);
        }
        return bytes;
    }

    /** @throws InvalidInputException if the text is not base64 */
    static byte[] decode(String field, String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(field, "is not base64: " + e.getMessage());
        }
    }

    static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static int encodedLength(int bytes) {
        return Math.ceilDiv(bytes, 3) * 4;
    }
}
