package io.eldr.router.route;

import io.eldr.core.signature.ExpertCounts;
import java.util.Optional;

/**
 * The expert counts of what a request decoded, as whoever closed its reservation says.
 *
 * @param label the request's domain, where its client named one
 * @param tokens how many tokens were counted; every layer of the counts sums to tokens x k
 */
record DecodedSample(
        String pool, String requestId, Optional<String> label, int promptTokens, int tokens, ExpertCounts counts) {}
