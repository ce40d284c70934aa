package io.eldr.core.calibration;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures the union reduction of an artifact on requests that took no part in its fit. */
final class UnionMeasurement {
    private static final int[] BATCHES = {8, 16, 32, 64};

    private UnionMeasurement() {}

    /** Absent where no cluster is nearest to 8 requests with known decoding. */
    static Optional<UnionReduction> of(
            RoutingArtifact artifact, List<RequestSample> requests, DecodeTokens tokens, long seed, Parallel parallel) {
        BatchUnions unions = BatchUnions.of(artifact.model().geometry(), requests, tokens, seed, parallel);
        int[] decoded = unions.requests();
        Grouping grouping = Grouping.by(artifact, requests, parallel).of(decoded);
        Grouping mixed = Grouping.single(decoded.length);
        PairedBootstrap bootstrap = new PairedBootstrap(seed, parallel);
        List<UnionReduction.Batch> batches = new ArrayList<>();
        for (int batch : BATCHES) {
            if (grouping.filling(batch) == 0) {
                break;
            }
            RequestValues grouped = unions.in(grouping, batch);
            RequestValues random = unions.in(mixed, batch);
            PairedBootstrap.Interval interval = bootstrap.of(grouped, random, UnionMeasurement::reduction);
            batches.add(new UnionReduction.Batch(
                    batch,
                    grouping.filling(batch),
                    grouping.canFill(batch),
                    grouped.mean(),
                    random.mean(),
                    reduction(grouped.mean(), random.mean()),
                    interval.low(),
                    interval.high()));
        }
        return batches.isEmpty() ? Optional.empty() : Optional.of(new UnionReduction(unions.origin(), batches));
    }

    private static double reduction(double grouped, double random) {
        return random == 0 ? 0 : 100 * (1 - grouped / random);
    }
}
