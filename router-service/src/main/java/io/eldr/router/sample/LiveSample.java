package io.eldr.router.sample;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.pool.Pool;
import java.util.Optional;

/**
 * What a request of this router used. How many tokens were counted is told by the counts themselves: every layer sums to
 * tokens x k.
 *
 * @param requestId should be unique in the pool: a second one of the same name is taken for a repetition
 * @param label the request's domain, where its client named one
 * @param prompt the counts that made its signature
 * @param decoded the counts of what it decoded, or of all but the first token, where known
 */
public record LiveSample(
        Pool pool, String requestId, Optional<String> label, ExpertCounts prompt, Optional<ExpertCounts> decoded) {}
