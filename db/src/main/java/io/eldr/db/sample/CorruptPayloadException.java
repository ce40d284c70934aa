package io.eldr.db.sample;

/** Stored counts are not what was stored. */
public final class CorruptPayloadException extends RuntimeException {
    CorruptPayloadException(String detail) {
        super("stored counts are corrupt: " + detail);
    }
}
