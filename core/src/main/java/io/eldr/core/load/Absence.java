package io.eldr.core.load;

/** Why a reservation is not open. */
public enum Absence {
    /** It was closed, not so long ago that it was forgotten. */
    CLOSED,
    /** Its lease had ended. */
    EXPIRED,
    /** Never opened here, or ended so long ago that it was forgotten. */
    UNKNOWN
}
