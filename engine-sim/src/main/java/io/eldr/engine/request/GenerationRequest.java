package io.eldr.engine.request;

import io.eldr.engine.recording.RecordedRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a client asks for.
 *
 * @param kind on which path
 * @param model as the client names it
 * @param prompt the tokens of the prompt
 * @param recorded whose experts its tokens use
 * @param length how many tokens it generates in all
 * @param finish why it ends then
 * @param maxTokens what the client limited it to
 * @param stream as server-sent events, or in one body
 * @param includeUsage a last event tells the usage
 * @param returnTokenIds the answer tells the ids of prompt and output
 * @param kv where its KV comes from or goes to
 * @param duration how long it runs where it is not the decoder model that says so
 * @param rank the data-parallel rank that it is to run on; empty where the worker is to choose
 * @param requestId what the worker calls it
 */
public record GenerationRequest(
        Kind kind,
        String model,
        Prompt prompt,
        RecordedRequest recorded,
        int length,
        FinishReason finish,
        int maxTokens,
        boolean stream,
        boolean includeUsage,
        boolean returnTokenIds,
        KvTransfer kv,
        Optional<Duration> duration,
        OptionalInt rank,
        String requestId) {

    /** The path it came on. */
    public enum Kind {
        COMPLETION,
        CHAT
    }

    public Output output() {
        return new Output(prompt.hash());
    }

    /**
     * Whether this worker keeps the prompt's KV for a decoder. In the authors' dialect it does so even where nothing is left
     * to decode, until somebody releases it.
     */
    public boolean keepsKv() {
        return kv instanceof KvTransfer.Produce(boolean prefillFirst)
                && (prefillFirst || finish == FinishReason.LENGTH);
    }

    /** How many of its tokens others have sent: one in the authors' dialect. */
    public int sentBefore() {
        return kv instanceof KvTransfer.Consume consume && consume.firstToken().isPresent() ? 1 : 0;
    }
}
