package io.eldr.core.quality;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Distinct pairs i &lt; j of requests whose distances are compared, ascending: all there are, or as many as asked for at
 * random.
 */
public final class RequestPairs {
    /** How many random pairs the authors compare (ELDR paper). */
    public static final int DEFAULT_COUNT = 30_000;
    /** More pairs than this are refused; all pairs of 10,000 requests are fewer. */
    public static final int MAX_COUNT = 50_000_000;

    private final int requests;
    private final int[] first;
    private final int[] second;

    private RequestPairs(int requests, int[] first, int[] second) {
        this.requests = requests;
        this.first = first;
        this.second = second;
    }

    /**
     * All pairs of {@code requests} requests.
     *
     * @throws InvalidInputException naming {@code pairs} if they are more than {@link #MAX_COUNT}
     */
    public static RequestPairs all(int requests) {
        long total = total(requests);
        if (total > MAX_COUNT) {
            throw new InvalidInputException(
                    "pairs",
                    requests + " requests make " + total + " pairs, more than the " + MAX_COUNT
                            + " that are compared at most; ask for a number of random pairs");
        }
        return without(requests, new long[0]);
    }

    /**
     * {@code count} pairs drawn without repetition, or all where there are no more than that.
     *
     * @throws InvalidInputException naming {@code pairs} if {@code count} is not between 1 and {@link #MAX_COUNT}
     */
    public static RequestPairs random(int requests, int count, RandomGenerator random) {
        if (count < 1 || count > MAX_COUNT) {
            throw new InvalidInputException("pairs", "must be between 1 and " + MAX_COUNT + " but are " + count);
        }
        long total = total(requests);
        if (count >= total) {
            return all(requests);
        }
        if (count > total / 2) {
            return without(requests, draw(requests, (int) (total - count), random));
        }
        long[] drawn = draw(requests, count, random);
        int[] first = new int[count];
        int[] second = new int[count];
        for (int p = 0; p < count; p++) {
            first[p] = (int) (drawn[p] >>> 32);
            second[p] = (int) drawn[p];
        }
        return new RequestPairs(requests, first, second);
    }

    /** The number of requests that the pairs are of. */
    public int requests() {
        return requests;
    }

    /** The number of pairs. */
    public int count() {
        return first.length;
    }

    /** The lower request of a pair. */
    public int first(int pair) {
        return first[pair];
    }

    /** The higher request of a pair. */
    public int second(int pair) {
        return second[pair];
    }

    private static long total(int requests) {
        return requests * (requests - 1L) / 2;
    }

    private static long code(int i, int j) {
        return (long) i << 32 | j;
    }

    /** All pairs but the given ones, which are ascending. */
    private static RequestPairs without(int requests, long[] excluded) {
        int count = (int) (total(requests) - excluded.length);
        int[] first = new int[count];
        int[] second = new int[count];
        int p = 0;
        int x = 0;
        for (int i = 0; i < requests; i++) {
            for (int j = i + 1; j < requests; j++) {
                if (x < excluded.length && excluded[x] == code(i, j)) {
                    x++;
                } else {
                    first[p] = i;
                    second[p++] = j;
                }
            }
        }
        return new RequestPairs(requests, first, second);
    }

    /** Distinct random pairs as ascending codes; at most half of all pairs, so that most draws are new ones. */
    private static long[] draw(int requests, int count, RandomGenerator random) {
        long[] codes = new long[count];
        int distinct = 0;
        while (distinct < count) {
            for (int p = distinct; p < count; p++) {
                int i = random.nextInt(requests);
                int j = random.nextInt(requests - 1);
                j += j >= i ? 1 : 0;
                codes[p] = code(Math.min(i, j), Math.max(i, j));
            }
            Arrays.sort(codes);
            distinct = removeRepeats(codes);
        }
        return codes;
    }

    /** Moves the distinct ones of sorted codes to the front and says how many there are. */
    private static int removeRepeats(long[] codes) {
        int distinct = 0;
        for (long code : codes) {
            if (distinct == 0 || codes[distinct - 1] != code) {
                codes[distinct++] = code;
            }
        }
        return distinct;
    }
}
