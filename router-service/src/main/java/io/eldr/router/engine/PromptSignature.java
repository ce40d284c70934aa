package io.eldr.router.engine;

import io.eldr.core.signature.ExpertCounts;

/**
 * What a prefill worker's answer says of the experts that its prompt used. A bad or missing one never fails a request:
 * load alone decides then.
 */
public sealed interface PromptSignature {
    /** Counts, and the form they came in. */
    record Read(ExpertCounts counts, String form) implements PromptSignature {}

    /** The answer has none. */
    record Missing() implements PromptSignature {}

    /** It has one that cannot be used. */
    record Bad(String form, String why) implements PromptSignature {}
}
