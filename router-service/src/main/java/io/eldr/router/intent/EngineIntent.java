package io.eldr.router.intent;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How the gateway speaks to a pool's engines.
 *
 * @param model what engines call the model; empty: by whatever name a client asks for
 * @param adapters names of adapters that engines serve beside the model
 */
public record EngineIntent(Dialect dialect, Optional<String> model, List<String> adapters) {
    public static final EngineIntent DEFAULT = new EngineIntent(Dialect.VLLM, Optional.empty(), List.of());

    public EngineIntent {
        adapters = List.copyOf(adapters);
    }

    /** What engines understand of prefill and decode on different workers. */
    public enum Dialect {
        VLLM("vllm"),
        PREFILL_FIRST("prefill-first");

        private final String id;

        Dialect(String id) {
            this.id = id;
        }

        public String id() {
            return id;
        }

        /** @throws InvalidInputException if this router knows no such dialect */
        public static Dialect of(String id) {
            return Arrays.stream(values())
                    .filter(dialect -> dialect.id.equals(id))
                    .findFirst()
                    .orElseThrow(() -> new InvalidInputException("dialect", "is not known here: '" + id + "'"));
        }
    }
}
