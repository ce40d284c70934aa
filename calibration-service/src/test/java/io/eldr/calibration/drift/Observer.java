package io.eldr.calibration.drift;

import io.eldr.calibration.testing.ApiClient;
import io.eldr.calibration.testing.TestPool;
import io.eldr.core.artifact.ArtifactCodec;
import io.eldr.core.drift.DriftBaseline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Posts what a router would, for a pool whose first version was fitted on topics. */
final class Observer {
    private final ApiClient client;
    private final TestPool pool;
    private final DriftBaseline baseline;
    private final String router;
    private final AtomicLong sequence = new AtomicLong();

    private Observer(ApiClient client, TestPool pool, DriftBaseline baseline, String router) {
        this.client = client;
        this.pool = pool;
        this.baseline = baseline;
        this.router = router;
    }

    static Observer of(ApiClient client, TestPool pool, String router) {
        byte[] artifact = pool.admin()
                .get(pool.path() + "/artifacts/1/binary")
                .expect(200)
                .response()
                .body();
        return new Observer(
                client, pool, DriftBaseline.of(ArtifactCodec.decode(artifact)).orElseThrow(), router);
    }

    DriftBaseline baseline() {
        return baseline;
    }

    /** Requests that lie as the held-out ones do. */
    JsonNode usual(int requests) {
        return post(body(sequence.incrementAndGet(), 1, usualNearest(requests), usualSimilarities(requests)));
    }

    /** Requests that are all nearest to the first cluster. */
    JsonNode shifted(int requests) {
        List<Long> nearest = new ArrayList<>(Collections.nCopies(baseline.clusters(), 0L));
        nearest.set(0, (long) requests);
        return post(body(sequence.incrementAndGet(), 1, nearest, usualSimilarities(requests)));
    }

    JsonNode post(String body) {
        return client.post(pool.path() + "/observations", body).expect(200).json();
    }

    List<Long> usualNearest(int requests) {
        return scaled(
                baseline.shares().stream()
                        .map(share -> share * baseline.requests())
                        .toList(),
                requests);
    }

    List<Long> usualSimilarities(int requests) {
        return scaled(baseline.similarities().stream().map(Integer::doubleValue).toList(), requests);
    }

    /** Whole numbers in these proportions that add up to the total. */
    private static List<Long> scaled(List<Double> weights, int total) {
        double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
        List<Long> counts = new ArrayList<>();
        double before = 0;
        for (double weight : weights) {
            counts.add(Math.round((before + weight) / sum * total) - Math.round(before / sum * total));
            before += weight;
        }
        return counts;
    }

    /** Of requests that all have a signature and the mean similarity of the held-out ones. */
    String body(long number, long generation, List<Long> nearest, List<Long> similarities) {
        long requests = similarities.stream().mapToLong(Long::longValue).sum();
        return """
                {"router":"%s","sequence":%d,"generation":%d,"requests":%d,"withoutSignature":0,"nearest":[%s],
                 "similarities":[%s],"similaritySum":%s,"spilled":%d,"singletonBands":0}""".formatted(
                        router,
                        number,
                        generation,
                        requests,
                        text(nearest),
                        text(similarities),
                        baseline.meanSimilarity() * requests,
                        requests / 4);
    }

    private static String text(List<Long> counts) {
        return counts.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
