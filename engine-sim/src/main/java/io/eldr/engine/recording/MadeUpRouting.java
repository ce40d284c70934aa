package io.eldr.engine.recording;

import io.eldr.core.signature.Geometry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Routing of the shape of any model where no recording is at hand, for tests and for load. Requests come from a few domains,
 * each of which prefers a quarter of the experts of each layer: enough for signatures to tell them apart, and nothing to
 * predict a gain from.
 */
public final class MadeUpRouting {
    private static final int DOMAINS = 8;
    private static final int REQUESTS = 64;
    private static final int PROMPT_TOKENS = 48;
    private static final int DECODE_TOKENS = 48;
    private static final double PREFERENCE = 0.75;

    private MadeUpRouting() {}

    /** 64 requests named {@code made-up-0} to {@code made-up-63}; request i is of domain i mod 8. */
    public static Recordings of(Geometry geometry, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[][] preferred = new int[DOMAINS][];
        for (int domain = 0; domain < DOMAINS; domain++) {
            preferred[domain] = preferences(geometry, random);
        }
        List<RecordedRequest> requests = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            requests.add(request("made-up-" + i, geometry, preferred[i % DOMAINS], random));
        }
        return new Recordings("made-up", geometry, requests);
    }

    /** [layer][n] experts, layer-major: a quarter of each layer's, at least k of them. */
    private static int[] preferences(Geometry geometry, SplittableRandom random) {
        int size = preferredSize(geometry);
        int[] preferred = new int[geometry.layers() * size];
        for (int layer = 0; layer < geometry.layers(); layer++) {
            int[] all = shuffled(geometry.experts(), random);
            System.arraycopy(all, 0, preferred, layer * size, size);
        }
        return preferred;
    }

    private static int preferredSize(Geometry geometry) {
        return Math.max(geometry.topK(), geometry.experts() / 4);
    }

    private static RecordedRequest request(String id, Geometry geometry, int[] preferred, SplittableRandom random) {
        int tokens = PROMPT_TOKENS + DECODE_TOKENS;
        int topK = geometry.topK();
        short[] rows = new short[tokens * geometry.layers() * topK];
        for (int row = 0; row < tokens * geometry.layers(); row++) {
            fill(rows, row * topK, row % geometry.layers(), geometry, preferred, random);
        }
        return new RecordedRequest(
                id,
                geometry,
                PROMPT_TOKENS,
                DECODE_TOKENS,
                (token, layer, rank) -> rows[(token * geometry.layers() + layer) * topK + rank]);
    }

    /** k distinct experts. */
    private static void fill(
            short[] rows, int base, int layer, Geometry geometry, int[] preferred, SplittableRandom random) {
        int size = preferredSize(geometry);
        int filled = 0;
        while (filled < geometry.topK()) {
            int expert = random.nextDouble() < PREFERENCE
                    ? preferred[layer * size + random.nextInt(size)]
                    : random.nextInt(geometry.experts());
            boolean fresh = true;
            for (int i = 0; i < filled; i++) {
                fresh &= rows[base + i] != expert;
            }
            if (fresh) {
                rows[base + filled++] = (short) expert;
            }
        }
    }

    private static int[] shuffled(int size, SplittableRandom random) {
        int[] values = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            values[i] = values[other];
            values[other] = i;
        }
        return values;
    }
}
