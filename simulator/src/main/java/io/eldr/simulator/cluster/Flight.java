package io.eldr.simulator.cluster;

import java.util.Optional;

/** A request in the system. */
final class Flight {
    static final double NOT_YET = -1;

    final int request;
    final double arrival;
    final int router;
    final int promptTokens;

    /** Its tokens' experts in the bank of served requests; from the end it goes on at the start. */
    private final int bankStart;

    private final int bankEnd;

    /** Where its next token's experts are. */
    int cursor;

    int generated;
    /** How many tokens are still to come. */
    int left;
    /** The tokens whose KV a decoder holds for it, once it does. */
    int context;

    int prefiller;
    /** How many tokens of KV its prefiller holds for it. */
    int held;

    Optional<Placement> placement = Optional.empty();
    /** When its blocks will have been pulled: tells this pull from one that was broken off. */
    double pulledAt = NOT_YET;
    /** Its KV was thrown away for want of blocks and must be computed again where it decodes. */
    boolean evicted;

    double firstToken = NOT_YET;

    Flight(int request, double arrival, int router, int promptTokens, int outputTokens, int bankStart, int bankEnd) {
        this.request = request;
        this.arrival = arrival;
        this.router = router;
        this.promptTokens = promptTokens;
        this.left = outputTokens;
        this.bankStart = bankStart;
        this.bankEnd = bankEnd;
        this.cursor = bankStart;
    }

    /** The prompt, and what was generated so far. */
    int tokens() {
        return promptTokens + generated;
    }

    /** Goes on to its next token. */
    void advance(int words) {
        cursor += words;
        if (cursor == bankEnd) {
            cursor = bankStart;
        }
    }
}
