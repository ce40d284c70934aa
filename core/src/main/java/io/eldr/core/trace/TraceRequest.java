package io.eldr.core.trace;

import io.eldr.core.signature.ExpertCounts;
import java.util.Optional;

/** One recorded request. Counts are computed on each call from the trace's bytes. */
public final class TraceRequest {
    private final String id;
    private final String domain;
    private final int prefillTokens;
    private final int decodeTokens;
    private final Recording recording;

    TraceRequest(String id, String domain, int prefillTokens, int decodeTokens, Recording recording) {
        this.id = id;
        this.domain = domain;
        this.prefillTokens = prefillTokens;
        this.decodeTokens = decodeTokens;
        this.recording = recording;
    }

    /** Unique in its trace. */
    public String id() {
        return id;
    }

    /** The label of what the request was about; empty where the trace gives none. */
    public String domain() {
        return domain;
    }

    /** P, how many tokens of the prompt are recorded; 0 in a trace of decoding alone. */
    public int prefillTokens() {
        return prefillTokens;
    }

    /** D, how many decoded tokens are recorded; 0 where the trace has only prompts. */
    public int decodeTokens() {
        return decodeTokens;
    }

    /** The counts of the prompt: every layer sums to P x k. */
    public ExpertCounts prefillCounts() {
        return recording.prefill(prefillTokens);
    }

    /** The counts of the decoded tokens, every layer summing to D x k; absent where D is 0. */
    public Optional<ExpertCounts> decodeCounts() {
        return decodeTokens == 0
                ? Optional.empty()
                : tokenExperts().map(experts -> experts.counts(prefillTokens, experts.tokens()));
    }

    /** The experts of each token, the first P of the prompt and then D decoded; absent in a trace of counts. */
    public Optional<TokenExperts> tokenExperts() {
        return recording instanceof TokenExperts experts ? Optional.of(experts) : Optional.empty();
    }

    @Override
    public String toString() {
        return "TraceRequest[" + id + ", " + prefillTokens + " + " + decodeTokens + " tokens]";
    }
}
