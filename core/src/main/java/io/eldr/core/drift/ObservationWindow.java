package io.eldr.core.drift;

import io.eldr.core.signature.InvalidInputException;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How the requests of some stretch of time lay among an artifact's centroids, all K of them, whichever decoders could be
 * chosen. Windows of the same artifact add up, be it over time or over routers.
 *
 * @param requests how many were decided
 * @param withoutSignature how many of them had no signature, a zero one, or one that did not fit; the figures below are
 *     about the others
 * @param nearest how many were nearest to each cluster
 * @param similarities how many had their best similarity in each of equal bins over [0, 1], as many as the artifact's
 *     held-out histogram has
 * @param similaritySum the sum of the best similarities
 * @param spilled how many went to a decoder whose cluster was not the nearest
 * @param singletonBands how many had one decoder only within tau of the nearest
 */
public record ObservationWindow(
        long requests,
        long withoutSignature,
        List<Long> nearest,
        List<Long> similarities,
        double similaritySum,
        long spilled,
        long singletonBands) {
    /** Far beyond any window, and far from overflow when windows add up. */
    private static final long MAX_REQUESTS = 1L << 40;

    private static final double ROUNDING = 1e-3;

    /** @throws InvalidInputException naming the figure that does not fit the others */
    public ObservationWindow {
        nearest = List.copyOf(nearest);
        similarities = List.copyOf(similarities);
        requireCount("requests", requests, MAX_REQUESTS);
        requireCount("withoutSignature", withoutSignature, requests);
        long measured = requests - withoutSignature;
        requireSum("nearest", nearest, measured);
        requireSum("similarities", similarities, measured);
        if (!(Math.abs(similaritySum) <= measured * (1 + ROUNDING))) {
            throw new InvalidInputException(
                    "similaritySum", "must be within " + measured + " similarities but is " + similaritySum);
        }
        requireCount("spilled", spilled, measured);
        requireCount("singletonBands", singletonBands, measured);
    }

    /** Nothing was seen yet. */
    public static ObservationWindow empty(int clusters, int bins) {
        return new ObservationWindow(0, 0, Collections.nCopies(clusters, 0L), Collections.nCopies(bins, 0L), 0, 0, 0);
    }

    /** How many requests had a signature to measure. */
    public long measured() {
        return requests - withoutSignature;
    }

    /** Mean best similarity; 0 where nothing was measured. */
    public double meanSimilarity() {
        return measured() == 0 ? 0 : similaritySum / measured();
    }

    /**
     * Both together.
     *
     * @throws InvalidInputException naming what has another size than here
     */
    public ObservationWindow plus(ObservationWindow other) {
        return new ObservationWindow(
                requests + other.requests,
                withoutSignature + other.withoutSignature,
                sums("nearest", nearest, other.nearest),
                sums("similarities", similarities, other.similarities),
                similaritySum + other.similaritySum,
                spilled + other.spilled,
                singletonBands + other.singletonBands);
    }

    /** @throws InvalidInputException naming what has not the size that an artifact's statistics have */
    public void requireShape(int clusters, int bins) {
        requireSize("nearest", nearest, clusters);
        requireSize("similarities", similarities, bins);
    }

    private static List<Long> sums(String field, List<Long> a, List<Long> b) {
        requireSize(field, b, a.size());
        return IntStream.range(0, a.size()).mapToObj(i -> a.get(i) + b.get(i)).toList();
    }

    private static void requireSize(String field, List<Long> counts, int size) {
        if (counts.size() != size) {
            throw new InvalidInputException(field, "must hold " + size + " counts but holds " + counts.size());
        }
    }

    private static void requireSum(String field, List<Long> counts, long sum) {
        long total = 0;
        for (long count : counts) {
            requireCount(field, count, sum);
            total += count;
        }
        if (total != sum) {
            throw new InvalidInputException(
                    field, "must add up to the " + sum + " requests with a signature but make " + total);
        }
    }

    private static void requireCount(String field, long count, long max) {
        if (count < 0 || count > max) {
            throw new InvalidInputException(field, "must be between 0 and " + max + " but is " + count);
        }
    }
}
