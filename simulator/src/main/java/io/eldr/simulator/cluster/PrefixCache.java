package io.eldr.simulator.cluster;

import io.eldr.core.trace.ArrivalTrace;
import java.util.LinkedHashMap;

/** The blocks of prompts that a prefill worker keeps, the longest unused thrown out first. */
final class PrefixCache {
    private final int capacityBlocks;
    private final LinkedHashMap<Long, Boolean> blocks = new LinkedHashMap<>(16, 0.75f, true);

    PrefixCache(long capacityTokens) {
        this.capacityBlocks = (int) Math.min(Integer.MAX_VALUE, capacityTokens / ArrivalTrace.BLOCK_TOKENS);
    }

    /**
     * Takes a prompt in.
     *
     * @param names of its blocks
     * @param repeat which blocks of the same name are not the same
     * @return how many of its tokens were here: whole blocks from its beginning, and never its last token
     */
    int take(int[] names, int repeat, int promptTokens) {
        int cached = 0;
        boolean whole = true;
        for (int name : names) {
            long key = ((long) repeat << Integer.SIZE) | name;
            boolean found = blocks.get(key) != null;
            whole &= found;
            if (whole) {
                cached += ArrivalTrace.BLOCK_TOKENS;
            }
            if (!found && capacityBlocks > 0) {
                if (blocks.size() >= capacityBlocks) {
                    blocks.pollFirstEntry();
                }
                blocks.put(key, true);
            }
        }
        return Math.min(cached, promptTokens - 1);
    }
}
