package io.eldr.core.calibration;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.signature.Signature;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** Which cluster of an artifact each request is nearest to; none for a request with a zero signature. */
final class Grouping {
    /** The group of a request that has none. */
    static final int NONE = -1;

    private final int groups;
    private final int[] groupOf;

    /** Adopts the array. */
    Grouping(int groups, int[] groupOf) {
        this.groups = groups;
        this.groupOf = groupOf;
    }

    static Grouping by(RoutingArtifact artifact, List<RequestSample> requests, Parallel parallel) {
        return by(artifact.spec(), artifact.centroids(), requests, parallel);
    }

    static Grouping by(SignatureSpec spec, Centroids centroids, List<RequestSample> requests, Parallel parallel) {
        int[] groupOf = new int[requests.size()];
        parallel.forEach(groupOf.length, (lane, r) -> groupOf[r] = nearest(spec, centroids, requests.get(r)));
        return new Grouping(centroids.count(), groupOf);
    }

    /** All requests in one group. */
    static Grouping single(int requests) {
        return new Grouping(1, new int[requests]);
    }

    /** The same clusters, of some of the requests. */
    Grouping of(int[] requests) {
        return new Grouping(groups, Arrays.stream(requests).map(r -> groupOf[r]).toArray());
    }

    /** K. */
    int groups() {
        return groups;
    }

    int requests() {
        return groupOf.length;
    }

    /** The group of a request, or {@link #NONE}. */
    int groupOf(int request) {
        return groupOf[request];
    }

    int[] sizes() {
        int[] sizes = new int[groups];
        for (int group : groupOf) {
            if (group != NONE) {
                sizes[group]++;
            }
        }
        return sizes;
    }

    /** The largest group's share of the requests that are in one; absent where none is. */
    OptionalDouble hottestShare() {
        int[] sizes = sizes();
        int grouped = Arrays.stream(sizes).sum();
        return grouped == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) Arrays.stream(sizes).max().orElse(0) / grouped);
    }

    /** True if three quarters of the groups have at least so many requests. */
    boolean canFill(int batch) {
        return 4L * filling(batch) >= 3L * groups;
    }

    /** How many groups have at least so many requests. */
    int filling(int batch) {
        return (int) Arrays.stream(sizes()).filter(size -> size >= batch).count();
    }

    private static int nearest(SignatureSpec spec, Centroids centroids, RequestSample request) {
        Signature signature = spec.signatureOf(request.prefill());
        if (signature.isZero()) {
            return NONE;
        }
        double[] similarities = centroids.similarities(signature);
        int nearest = 0;
        for (int k = 1; k < similarities.length; k++) {
            nearest = similarities[k] > similarities[nearest] ? k : nearest;
        }
        return nearest;
    }
}
