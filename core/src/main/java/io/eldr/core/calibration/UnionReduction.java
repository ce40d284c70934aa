package io.eldr.core.calibration;

import io.eldr.core.trace.TokenOrigin;
import java.util.List;

/**
 * How many fewer distinct experts a decode step loads where its batch is made of requests of one cluster, on requests that
 * took no part in the fit: what locality routing could save at most, before load is levelled.
 *
 * @param token where the decode tokens come from
 * @param batches the sizes that some cluster has enough requests for, ascending; at least one
 */
public record UnionReduction(TokenOrigin token, List<Batch> batches) {
    public UnionReduction {
        batches = List.copyOf(batches);
    }

    /**
     * Batches of distinct requests, one decode token each.
     *
     * @param batch how many requests
     * @param groups how many clusters have that many; the others do not count
     * @param enough whether they are three quarters of all clusters
     * @param grouped mean distinct experts per layer in batches of one cluster
     * @param random the same in batches of any requests
     * @param reductionPct how much lower grouped is, in percent of random
     * @param low lower end of its 95 % bootstrap interval
     * @param high upper end of it
     */
    public record Batch(
            int batch,
            int groups,
            boolean enough,
            double grouped,
            double random,
            double reductionPct,
            double low,
            double high) {}
}
