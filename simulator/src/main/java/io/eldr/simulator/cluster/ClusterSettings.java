package io.eldr.simulator.cluster;

import io.eldr.core.cost.ModelConstants;
import io.eldr.core.signature.InvalidInputException;
import java.util.List;

/**
 * What the simulated machines are.
 *
 * @param prefillers how many prefill workers, 1 to 4,096
 * @param decoders how many decoders at the beginning, 1 to 4,096
 * @param model how long their steps take
 * @param ranks G, over how many ranks a decoder spreads its experts; divides E
 * @param placed whether the ranks' experts are placed by the artifact, otherwise in the order of their numbers
 * @param routers how many routers share the pool, 1 to 256
 * @param scrapeSeconds how often each of several routers asks the engines for their loads, above 0
 * @param exchanging whether routers tell each other at each scrape what their requests are expected to use
 * @param prefixCacheTokens how many tokens of prompts a prefill worker keeps; 0: none
 * @param changes by time
 */
public record ClusterSettings(
        int prefillers,
        int decoders,
        ModelConstants model,
        int ranks,
        boolean placed,
        int routers,
        double scrapeSeconds,
        boolean exchanging,
        long prefixCacheTokens,
        List<Change.Timed> changes) {
    /** How often a router asks the engines where nothing else is said. */
    public static final double DEFAULT_SCRAPE_SECONDS = 1;

    private static final int MAX_WORKERS = 4_096;
    private static final int MAX_ROUTERS = 256;

    /** @throws InvalidInputException naming the setting */
    public ClusterSettings {
        requireRange("prefillers", prefillers, MAX_WORKERS);
        requireRange("decoders", decoders, MAX_WORKERS);
        requireRange("routers", routers, MAX_ROUTERS);
        if (ranks < 1 || model.experts() % ranks != 0) {
            throw new InvalidInputException(
                    "ranks", "must divide the " + model.experts() + " experts of a layer but is " + ranks);
        }
        if (!(scrapeSeconds > 0) || Double.isInfinite(scrapeSeconds)) {
            throw new InvalidInputException("scrapeSeconds", "must be finite and above 0 but is " + scrapeSeconds);
        }
        if (prefixCacheTokens < 0) {
            throw new InvalidInputException("prefixCacheTokens", "must not be negative but is " + prefixCacheTokens);
        }
        changes = List.copyOf(changes);
    }

    /** One router, no ranks, no prefix cache, nothing happens. */
    public static ClusterSettings plain(int prefillers, int decoders, ModelConstants model) {
        return new ClusterSettings(
                prefillers, decoders, model, 1, false, 1, DEFAULT_SCRAPE_SECONDS, false, 0, List.of());
    }

    public ClusterSettings withDecoders(int other) {
        return new ClusterSettings(
                prefillers,
                other,
                model,
                ranks,
                placed,
                routers,
                scrapeSeconds,
                exchanging,
                prefixCacheTokens,
                changes);
    }

    public ClusterSettings withChanges(List<Change.Timed> other) {
        return new ClusterSettings(
                prefillers,
                decoders,
                model,
                ranks,
                placed,
                routers,
                scrapeSeconds,
                exchanging,
                prefixCacheTokens,
                other);
    }

    private static void requireRange(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw new InvalidInputException(name, "must be between 1 and " + max + " but is " + value);
        }
    }
}
