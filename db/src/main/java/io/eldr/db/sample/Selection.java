package io.eldr.db.sample;

/** Which samples of a pool are meant. */
public enum Selection {
    ALL,
    /** Those that say which experts decoding selected. */
    WITH_DECODE
}
