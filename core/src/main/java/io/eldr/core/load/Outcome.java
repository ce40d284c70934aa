package io.eldr.core.load;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** How a request ended, as the closer of its reservation says. */
public enum Outcome {
    COMPLETED("completed"),
    /** The client left. */
    ABORTED("aborted"),
    /** The engine refused the request for its own faults. */
    CLIENT_ERROR("clientError"),
    /** The decoder is to blame: the only outcome that counts against it. */
    DECODER_FAILED("decoderFailed"),
    TIMEOUT("timeout");

    private final String id;

    Outcome(String id) {
        this.id = id;
    }

    /** The name in APIs and metrics. */
    public String id() {
        return id;
    }

    /** @throws InvalidInputException naming {@code field} if no outcome has this name */
    public static Outcome of(String field, String id) {
        return Arrays.stream(values())
                .filter(outcome -> outcome.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(
                        field,
                        "must be one of "
                                + Arrays.stream(values()).map(Outcome::id).collect(Collectors.joining(", "))
                                + " but is '" + id + "'"));
    }
}
