package io.eldr.core.calibration;

import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.ExpertSets;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.TokenOrigin;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * How many distinct experts a decode step must load: batches of distinct requests of one group, one decode token each,
 * drawn by dealing every group's requests into batches again and again. The deals are the same for every grouping, so that
 * groupings can be compared request by request.
 */
final class BatchUnions {
    /** Deals times requests: more deals for fewer requests, so that what is left of chance is small in either case. */
    private static final int DEALT_REQUESTS = 256_000;

    private static final int MIN_DEALS = 16;
    private static final int MAX_DEALS = 512;
    /** Tokens times requests: 12 MB at 48 layers of 128 experts. */
    private static final int ALL_TOKENS = 16_000;

    private static final int MAX_TOKENS = 64;

    private final Geometry geometry;
    private final TokenOrigin origin;
    private final int[] requests;
    private final ExpertSets[] tokens;
    private final int[][] deals;
    private final Parallel parallel;

    private BatchUnions(
            Geometry geometry,
            TokenOrigin origin,
            int[] requests,
            ExpertSets[] tokens,
            int[][] deals,
            Parallel parallel) {
        this.geometry = geometry;
        this.origin = origin;
        this.requests = requests;
        this.tokens = tokens;
        this.deals = deals;
        this.parallel = parallel;
    }

    /** Of those of the requests whose decoding is known. */
    static BatchUnions of(
            Geometry geometry, List<RequestSample> samples, DecodeTokens source, long seed, Parallel parallel) {
        int perRequest = Math.clamp(ALL_TOKENS / Math.max(1, samples.size()), 1, MAX_TOKENS);
        List<Optional<ExpertSets>> found = new ArrayList<>(Collections.nCopies(samples.size(), Optional.empty()));
        parallel.forEach(
                samples.size(), (lane, r) -> found.set(r, source.of(samples.get(r), perRequest, Seeds.mix(seed, r))));
        int[] known = IntStream.range(0, samples.size())
                .filter(r -> found.get(r).isPresent())
                .toArray();
        ExpertSets[] tokens = found.stream().flatMap(Optional::stream).toArray(ExpertSets[]::new);
        return new BatchUnions(
                geometry, source.origin(), known, tokens, deals(known.length, Seeds.mix(seed, -1)), parallel);
    }

    private static int[][] deals(int requests, long seed) {
        Random random = new Random(seed);
        int[][] deals = new int[Math.clamp(DEALT_REQUESTS / Math.max(1, requests), MIN_DEALS, MAX_DEALS)][];
        for (int d = 0; d < deals.length; d++) {
            deals[d] = IntStream.range(0, requests).toArray();
            for (int i = requests - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int swapped = deals[d][i];
                deals[d][i] = deals[d][other];
                deals[d][other] = swapped;
            }
        }
        return deals;
    }

    TokenOrigin origin() {
        return origin;
    }

    /** Which of the samples have known decoding; the unions' requests, in their order. */
    int[] requests() {
        return requests.clone();
    }

    /**
     * The distinct experts per layer that a batch loads, averaged so that every request counts the same. A request of a
     * group with fewer than {@code batch} does not count. Another stands for its group's mean union, plus {@code batch}
     * times what it adds to a batch beyond its group's average: resampled, the values then vary as the mean does, because a
     * mean over batches of B hangs on each request B times (Hoeffding's projection of a U-statistic).
     *
     * @param grouping of {@link #requests}
     */
    RequestValues in(Grouping grouping, int batch) {
        Deal[] dealt = new Deal[deals.length];
        int[] sizes = grouping.sizes();
        parallel.forEach(deals.length, (lane, d) -> dealt[d] = deal(d, grouping, sizes, batch));

        int count = tokens.length;
        double[] added = new double[count];
        int[] times = new int[count];
        double[] unions = new double[sizes.length];
        long[] batches = new long[sizes.length];
        for (Deal deal : dealt) {
            for (int r = 0; r < count; r++) {
                if (deal.alone[r] >= 0) {
                    added[r] += deal.alone[r];
                    times[r]++;
                }
            }
            for (int g = 0; g < sizes.length; g++) {
                unions[g] += deal.unions[g];
                batches[g] += sizes[g] / batch;
            }
        }
        double[] groupAdded = new double[sizes.length];
        int[] groupSeen = new int[sizes.length];
        for (int r = 0; r < count; r++) {
            if (times[r] > 0) {
                added[r] /= times[r];
                groupAdded[grouping.groupOf(r)] += added[r];
                groupSeen[grouping.groupOf(r)]++;
            }
        }
        double[] values = new double[count];
        Arrays.fill(values, Double.NaN);
        for (int r = 0; r < count; r++) {
            int g = grouping.groupOf(r);
            if (g != Grouping.NONE && sizes[g] >= batch) {
                double beyond = times[r] == 0 ? 0 : added[r] - groupAdded[g] / groupSeen[g];
                values[r] = (unions[g] / batches[g] + batch * beyond) / geometry.layers();
            }
        }
        return new RequestValues(values);
    }

    /** What one deal gave. */
    private static final class Deal {
        /** For each request how many experts only it used in its batch, over all layers; -1 where it was in none. */
        private final int[] alone;
        /** For each group the sum of its batches' distinct experts over all layers. */
        private final long[] unions;

        Deal(int requests, int groups) {
            alone = new int[requests];
            Arrays.fill(alone, -1);
            unions = new long[groups];
        }
    }

    private Deal deal(int number, Grouping grouping, int[] sizes, int batch) {
        Deal deal = new Deal(tokens.length, sizes.length);
        int[][] open = new int[sizes.length][batch];
        int[] filled = new int[sizes.length];
        long[] seen = new long[ExpertSets.words(geometry)];
        long[] again = new long[seen.length];
        for (int r : deals[number]) {
            int g = grouping.groupOf(r);
            if (g == Grouping.NONE || sizes[g] < batch) {
                continue;
            }
            open[g][filled[g]++] = r;
            if (filled[g] == batch) {
                filled[g] = 0;
                deal.unions[g] += step(number, open[g], seen, again, deal.alone);
            }
        }
        return deal;
    }

    /** One decode step of a batch: the number of distinct (layer, expert) pairs. */
    private int step(int number, int[] members, long[] seen, long[] again, int[] alone) {
        Arrays.fill(seen, 0);
        Arrays.fill(again, 0);
        for (int r : members) {
            tokens[r].addTo(number % tokens[r].tokens(), seen, again);
        }
        for (int r : members) {
            alone[r] = tokens[r].alone(number % tokens[r].tokens(), again);
        }
        int union = 0;
        for (long word : seen) {
            union += Long.bitCount(word);
        }
        return union;
    }
}
