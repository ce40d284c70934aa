package io.eldr.engine.decode;

import io.eldr.core.cost.ActiveExperts;
import io.eldr.engine.recording.RecordedRequest;
import java.time.Duration;
import java.util.Optional;

/** A request on a decoder: what it generated so far. Its decoder alone changes it, one thread at a time. */
public final class Sequence {
    private final RecordedRequest recorded;
    private final int promptTokens;
    private final int length;
    private final Optional<Duration> duration;
    private final int rank;
    private final SequenceListener listener;
    private int generated;
    private int steps;
    private double modelMillis;

    /**
     * @param generated how many tokens it has already, fewer than {@code length}
     * @param duration how long it takes, where the decoder model has no say
     * @param rank the data-parallel rank that it runs on
     */
    public Sequence(
            RecordedRequest recorded,
            int promptTokens,
            int length,
            int generated,
            Optional<Duration> duration,
            int rank,
            SequenceListener listener) {
        this.recorded = recorded;
        this.promptTokens = promptTokens;
        this.length = length;
        this.generated = generated;
        this.duration = duration;
        this.rank = rank;
        this.listener = listener;
    }

    /** The tokens in its KV. */
    int context() {
        return promptTokens + generated;
    }

    Optional<Duration> duration() {
        return duration;
    }

    int rank() {
        return rank;
    }

    int remaining() {
        return length - generated;
    }

    void addNext(ActiveExperts step) {
        recorded.addDecoded(generated, step);
    }

    /** One more token, after so much model time. */
    void advance(double millis) {
        steps++;
        // The first step ends the time to first token; the ones after it are what a token takes.
        if (steps > 1) {
            modelMillis += millis;
        }
        listener.onToken(generated++);
    }

    /** The mean model time of a token after the first one of this decoder; 0 before there are two. */
    public double millisPerToken() {
        return steps > 1 ? modelMillis / (steps - 1) : 0;
    }

    /** How many tokens it has. */
    public int generated() {
        return generated;
    }

    boolean isDone() {
        return generated >= length;
    }

    void end() {
        listener.onEnd(this);
    }
}
