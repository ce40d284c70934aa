package io.eldr.engine.prefill;

import io.eldr.core.signature.ExpertCounts;

/**
 * A prompt whose KV is there.
 *
 * @param counts which experts its tokens used
 * @param cachedTokens how many of them were in the prefix cache
 * @param millis model time from the beginning of its own computation
 */
public record Prefilled(ExpertCounts counts, int cachedTokens, double millis) {}
