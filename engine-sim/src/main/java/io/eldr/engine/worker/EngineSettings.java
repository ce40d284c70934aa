package io.eldr.engine.worker;

import io.eldr.core.cost.DecoderModel;
import io.eldr.engine.recording.Recordings;
import io.eldr.engine.request.RequestLimits;
import java.time.Duration;

/**
 * How a worker works, the same for all of a cluster.
 *
 * @param model how long its steps take
 * @param recordings whose experts its requests use
 * @param limits what it serves
 * @param ranks how many data-parallel ranks it has, which share its experts and so its steps
 * @param maxSequences how many requests it decodes at once, on all of them
 * @param prefixCacheTokens how many tokens of prompts it keeps; 0 for none
 * @param lease how long it keeps KV blocks for a decoder that does not come
 */
public record EngineSettings(
        DecoderModel model,
        Recordings recordings,
        RequestLimits limits,
        int ranks,
        int maxSequences,
        int prefixCacheTokens,
        Duration lease) {
    /** @throws IllegalArgumentException naming the setting */
    public EngineSettings {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks must be at least 1 but is " + ranks);
        }
        if (maxSequences < 1) {
            throw new IllegalArgumentException("max sequences must be at least 1 but is " + maxSequences);
        }
        if (prefixCacheTokens < 0) {
            throw new IllegalArgumentException("prefix cache tokens must not be negative but is " + prefixCacheTokens);
        }
        if (!lease.isPositive()) {
            throw new IllegalArgumentException("lease must be positive but is " + lease);
        }
    }
}
