package io.eldr.core.trace;

import io.eldr.core.signature.ExpertCounts;
import java.util.Optional;

/**
 * One calibration request: what its signature is made of, and where known what it used while decoding.
 *
 * @param id unique among the samples it comes with
 * @param label what the request was about; empty where unknown
 * @param signatureTokens how many tokens {@code prefill} counts, at least 1
 * @param prefill c_r, the counts that make the signature; every layer sums to signatureTokens x k
 * @param decode p_r, the counts of the decoded tokens; absent where none are known
 * @param decodeTokens how many tokens {@code decode} counts; 0 where it is absent
 */
public record RequestSample(
        String id,
        String label,
        int signatureTokens,
        ExpertCounts prefill,
        Optional<ExpertCounts> decode,
        int decodeTokens) {}
