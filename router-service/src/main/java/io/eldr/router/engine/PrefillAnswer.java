package io.eldr.router.engine;

import java.util.Optional;
import java.util.OptionalInt;

/** What a prefill worker answered. */
public sealed interface PrefillAnswer {

    /**
     * It keeps the prompt's state for a decode worker.
     *
     * @param transfer the {@code kv_transfer_params} as they came
     * @param promptTokens as the worker counted them
     * @param first the client's first token, where prefill workers make it
     */
    record HandedOver(
            JsonMembers transfer, OptionalInt promptTokens, PromptSignature signature, Optional<FirstToken> first)
            implements PrefillAnswer {}

    /**
     * It ended the answer itself, at its first token: nothing is left to decode.
     *
     * @param transfer the {@code kv_transfer_params} of a state that it keeps all the same
     */
    record Finished(Optional<JsonMembers> transfer) implements PrefillAnswer {}

    /** It kept nothing: it is not set up to work with decode workers. */
    record NothingKept() implements PrefillAnswer {}

    /**
     * A token that the client gets from the prefill worker.
     *
     * @param answer all that the worker answered
     * @param choice the one choice of it
     */
    record FirstToken(JsonMembers answer, JsonMembers choice) {}
}
