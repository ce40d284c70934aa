package io.eldr.core.placement;

import io.eldr.core.signature.InvalidInputException;

/** What a cluster's decode pattern was made from. */
public enum PatternBasis {
    /** The decode counts of its requests. */
    DECODE("decode"),
    /** Their prompts' counts, because no decode counts are known. */
    PROMPT("prompt"),
    /** All requests, because the cluster has none. */
    POOL("pool");

    private final String id;

    PatternBasis(String id) {
        this.id = id;
    }

    /** The word in files and reports. */
    public String id() {
        return id;
    }

    /** @throws InvalidInputException naming {@code field} */
    public static PatternBasis of(String field, String id) {
        for (PatternBasis basis : values()) {
            if (basis.id.equals(id)) {
                return basis;
            }
        }
        throw new InvalidInputException(field, "must be decode, prompt or pool but is '" + id + "'");
    }
}
