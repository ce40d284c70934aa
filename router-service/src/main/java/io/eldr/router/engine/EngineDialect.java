package io.eldr.router.engine;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;

/** How engines are asked to prefill a prompt on one worker and to decode on another, and what their answers say. */
public sealed interface EngineDialect permits PullDialect, PrefillFirstDialect {

    /** Whether {@code /v1/chat/completions} is served too, and not only {@code /v1/completions}. */
    boolean servesChat();

    /** Whether a state that nobody will fetch is given free on request; else it stays until its lease ends. */
    boolean givesFree();

    /** @throws InvalidInputException naming the member of a client's body that cannot be served */
    void check(JsonMembers request);

    /**
     * The body that makes a prefill worker read the prompt, keep what it made of it, and answer one token at once.
     *
     * @param request the client's body
     * @param requestId another one for each attempt
     */
    byte[] forPrefill(JsonMembers.Splice request, String requestId);

    /** @throws InvalidInputException naming what the answer lacks */
    PrefillAnswer read(byte[] answer, Geometry geometry);

    /** The client's body for a decode worker, with what the prefill worker said of where the prompt's state lies. */
    byte[] forDecode(JsonMembers.Splice request, PrefillAnswer.HandedOver state);
}
