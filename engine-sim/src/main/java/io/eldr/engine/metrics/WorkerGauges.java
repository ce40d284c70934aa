package io.eldr.engine.metrics;

import java.util.List;

/**
 * What a worker is doing at this moment.
 *
 * @param ranks what each of its data-parallel ranks is doing; at least one
 * @param kvUse how much of the KV blocks is taken, 0 to 1
 * @param kvCapacityTokens how many tokens they hold
 * @param pinned prompts that are kept for decoders
 */
public record WorkerGauges(List<Rank> ranks, double kvUse, long kvCapacityTokens, int pinned) {
    public WorkerGauges {
        ranks = List.copyOf(ranks);
    }

    /**
     * One of them.
     *
     * @param running requests that are computed
     * @param waiting requests that wait for a place, or for their KV
     */
    public record Rank(int running, int waiting) {
        public int requests() {
            return running + waiting;
        }
    }

    /** Of all ranks. */
    public int running() {
        return ranks.stream().mapToInt(Rank::running).sum();
    }

    /** Of all ranks. */
    public int waiting() {
        return ranks.stream().mapToInt(Rank::waiting).sum();
    }
}
