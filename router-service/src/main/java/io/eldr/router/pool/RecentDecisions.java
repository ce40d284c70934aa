package io.eldr.router.pool;

import java.util.Map;

/** Where the newest decisions went, and why. */
@FunctionalInterface
public interface RecentDecisions {

    /** Of a pool's decisions. */
    Counts of(String pool);

    /**
     * Counts of decisions.
     *
     * @param sinceStart how many there were since this router started
     * @param perDecoder how many of the newest went to each decoder, by its id
     * @param perReason how many of the newest had each reason
     */
    record Counts(long sinceStart, Map<String, Integer> perDecoder, Map<String, Integer> perReason) {
        public Counts {
            perDecoder = Map.copyOf(perDecoder);
            perReason = Map.copyOf(perReason);
        }

        int newest() {
            return perDecoder.values().stream().mapToInt(Integer::intValue).sum();
        }
    }
}
