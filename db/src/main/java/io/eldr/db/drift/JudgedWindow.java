package io.eldr.db.drift;

import io.eldr.core.drift.DriftVerdict;
import java.time.Instant;

/**
 * A full window and what it said.
 *
 * @param requests how many requests it held, those without a signature included
 * @param hottestSlot the slot of the cluster that most requests were nearest to
 * @param alarm whether the pool was in alarm after it
 */
public record JudgedWindow(
        long generation,
        int version,
        Instant startedAt,
        Instant endedAt,
        long requests,
        String hottestSlot,
        DriftVerdict verdict,
        boolean alarm) {}
