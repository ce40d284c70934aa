package io.eldr.router.route;

import io.eldr.core.routing.Decision;
import io.eldr.router.pool.DecoderRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A decision with what it was made for.
 *
 * @param rows the decoders of the snapshot it was made on
 */
record DecisionRecord(
        String requestId,
        int promptTokens,
        Optional<String> label,
        Optional<Set<String>> candidates,
        Set<String> exclude,
        boolean signature,
        Instant at,
        Decision.Chosen chosen,
        List<DecoderRow> rows) {}
