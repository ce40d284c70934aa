package io.eldr.core.trace;

/** Where the decode tokens of a request come from. */
public enum TokenOrigin {
    /** The very tokens that were decoded. */
    RECORDED("recorded"),
    /** Made up so that each expert is used as often as the request's decode counts say. */
    DRAWN("drawn");

    private final String id;

    TokenOrigin(String id) {
        this.id = id;
    }

    /** The word in reports. */
    public String id() {
        return id;
    }
}
