package io.eldr.core.signature;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What a signature is made of (ELDR paper, section 4; the choice between them is left to rho).
 *
 * <p>Sums of the gating network's own values, which no engine reports, are compared with these where a trace has them, and
 * are no representation to route by.
 */
public enum Representation {
    /** Plain expert counts. */
    COUNT("count"),
    /** Expert counts, each weighted by the inverse document frequency of its expert in its layer. */
    COUNT_IDF("count_idf"),
    /** 1 where an expert was selected at all. */
    BINARY("binary");

    private final String id;

    Representation(String id) {
        this.id = id;
    }

    /** The name in files, APIs and databases. */
    public String id() {
        return id;
    }

    /** @throws InvalidInputException if no representation has this name */
    public static Representation of(String field, String id) {
        return Arrays.stream(values())
                .filter(r -> r.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(
                        field,
                        "must be one of "
                                + Arrays.stream(values())
                                        .map(Representation::id)
                                        .collect(Collectors.joining(", "))
                                + " but is '" + id + "'"));
    }
}
