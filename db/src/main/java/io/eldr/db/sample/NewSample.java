package io.eldr.db.sample;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.mapping.Checks;
import java.util.Optional;

/**
 * A sample on its way into a pool. Whether its rows sum to tokens x k is checked where the pool's geometry is known.
 *
 * @param requestId the pool holds one sample for each
 * @param label the topic or task, where known
 */
public record NewSample(
        String requestId,
        Optional<String> label,
        int promptTokens,
        ExpertCounts prefill,
        Optional<DecodedTokens> decode,
        SampleSource source) {
    /** @throws InvalidInputException naming the field that is refused */
    public NewSample {
        Checks.line("requestId", requestId, 200);
        label.ifPresent(value -> Checks.line("label", value, 200));
        Checks.range("promptTokens", promptTokens, 1, Integer.MAX_VALUE);
    }
}
