package io.eldr.db.sample;

import io.eldr.core.signature.ExpertCounts;
import java.time.Instant;
import java.util.Optional;

/**
 * A sample of a pool.
 *
 * @param id grows in the order of intake
 */
public record StoredSample(
        long id,
        String requestId,
        Optional<String> label,
        int promptTokens,
        ExpertCounts prefill,
        Optional<DecodedTokens> decode,
        SampleSource source,
        Instant createdAt) {}
