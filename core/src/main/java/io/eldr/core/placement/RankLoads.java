package io.eldr.core.placement;

import java.util.List;

/**
 * How unevenly ranks are loaded under three layouts, as predicted from the decode patterns: the heaviest rank's load over
 * the mean rank's, each summed over layers, because every layer waits for its slowest rank. 1 is even.
 *
 * @param contiguous expert e at position e
 * @param global one layout for all decoders, made for their mean pattern
 * @param perDecoder each decoder's own layout
 */
public record RankLoads(double contiguous, double global, double perDecoder) {
    static RankLoads mean(List<RankLoads> loads) {
        return new RankLoads(
                loads.stream().mapToDouble(RankLoads::contiguous).average().orElse(1),
                loads.stream().mapToDouble(RankLoads::global).average().orElse(1),
                loads.stream().mapToDouble(RankLoads::perDecoder).average().orElse(1));
    }
}
