package io.eldr.router.engine;

import java.util.OptionalInt;
import java.util.Set;

/** Where a prompt's state lies, as {@code kv_transfer_params} say it. */
final class Transfer {
    static final String FIELD = "kv_transfer_params";

    /** What this project put there for itself. */
    private static final Set<String> OWN_KEYS = Set.of("eldr_sig", "eldr");

    private Transfer() {}

    /** For the decode worker: byte for byte but for what only a router reads. */
    static JsonMembers.Splice forDecode(JsonMembers transfer) {
        return transfer.splice().without(OWN_KEYS);
    }

    static OptionalInt promptTokens(JsonMembers answer) {
        OptionalInt tokens = answer.object("usage")
                .map(usage -> usage.integer("prompt_tokens"))
                .orElse(OptionalInt.empty());
        return tokens.isPresent() && tokens.getAsInt() > 0 ? tokens : OptionalInt.empty();
    }
}
