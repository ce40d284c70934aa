package io.eldr.core.calibration;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.TokenOrigin;
import io.eldr.core.vector.Parallel;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How alike the requests are that artifacts group together: by unions where enough decoding is known, else by cosines.
 *
 * @param values for each of the artifacts a value for each request, NaN where it does not count
 */
record Likeness(GateMeasure measure, Optional<TokenOrigin> tokens, OptionalInt batch, List<RequestValues> values) {
    /** The batches to judge by, the most telling first. */
    private static final int[] BATCHES = {32, 16, 8};

    /** What several groupings of the same requests are measured with. */
    record Requests(List<RequestSample> samples, DecodeTokens tokens, long seed, Parallel parallel) {}

    /**
     * @param artifacts of one geometry, with their groupings of the requests
     * @param warnings is told where unions could not be taken, and why
     */
    static Likeness of(
            List<RoutingArtifact> artifacts, List<Grouping> groupings, Requests requests, List<String> warnings) {
        RoutingArtifact any = artifacts.getFirst();
        BatchUnions unions = BatchUnions.of(
                any.model().geometry(), requests.samples(), requests.tokens(), requests.seed(), requests.parallel());
        int[] decoded = unions.requests();
        List<Grouping> ofDecoded =
                groupings.stream().map(grouping -> grouping.of(decoded)).toList();
        OptionalInt batch = largestBatch(ofDecoded);
        if (batch.isPresent()) {
            return new Likeness(
                    GateMeasure.UNION,
                    Optional.of(unions.origin()),
                    batch,
                    ofDecoded.stream()
                            .map(grouping -> unions.in(grouping, batch.getAsInt()))
                            .toList());
        }
        warnings.add(
                decoded.length == 0
                        ? "no request has decode counts: compared by the cosine of prompts within a group, not by unions"
                        : decoded.length + " requests with decode counts are too few to fill batches of 8 in three"
                                + " quarters of the groups: compared by the cosine of prompts within a group, not by unions");
        return new Likeness(
                GateMeasure.COSINE,
                Optional.empty(),
                OptionalInt.empty(),
                groupings.stream()
                        .map(grouping -> GroupCosines.in(any, grouping, requests.samples(), requests.parallel()))
                        .toList());
    }

    /** The largest batch that three quarters of the groups of every grouping can fill. */
    static OptionalInt largestBatch(List<Grouping> groupings) {
        for (int batch : BATCHES) {
            if (groupings.stream().allMatch(grouping -> grouping.canFill(batch))) {
                return OptionalInt.of(batch);
            }
        }
        return OptionalInt.empty();
    }

    double mean(int artifact) {
        return values.get(artifact).mean();
    }
}
