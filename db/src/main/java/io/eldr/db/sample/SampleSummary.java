package io.eldr.db.sample;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What a pool has in samples.
 *
 * @param count all of them
 * @param withDecode those with decode counts
 * @param labels how many have each label; those without one are left out
 * @param newest when the newest came in
 */
public record SampleSummary(long count, long withDecode, Map<String, Long> labels, Optional<Instant> newest) {
    public SampleSummary {
        labels = Map.copyOf(labels);
    }
}
