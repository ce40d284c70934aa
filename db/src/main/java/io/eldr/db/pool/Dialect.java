package io.eldr.db.pool;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What a pool's engines understand of prefill and decode on different workers. */
public enum Dialect {
    /** vLLM whose decode workers pull the prompt's state: chat and completions. */
    VLLM("vllm"),
    /** The ELDR authors' fork, whose prefill workers make the client's first token: completions only. */
    PREFILL_FIRST("prefill-first");

    private final String id;

    Dialect(String id) {
        this.id = id;
    }

    /** The name in APIs and in the database. */
    public String id() {
        return id;
    }

    /** @throws InvalidInputException naming {@code field} if no dialect has this name */
    public static Dialect of(String field, String id) {
        return Arrays.stream(values())
                .filter(dialect -> dialect.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(
                        field,
                        "must be one of "
                                + Arrays.stream(values()).map(Dialect::id).collect(Collectors.joining(", "))
                                + " but is '"
                                + id + "'"));
    }
}
