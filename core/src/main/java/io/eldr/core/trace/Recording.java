package io.eldr.core.trace;

import io.eldr.core.signature.ExpertCounts;

/** What a trace has recorded of one request's routing. */
sealed interface Recording permits TokenExperts, PromptCounts {
    /** The counts of the prompt, which has {@code prefillTokens} tokens. */
    ExpertCounts prefill(int prefillTokens);
}
