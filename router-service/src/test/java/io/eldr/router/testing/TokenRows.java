package io.eldr.router.testing;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.SplittableRandom;

/** The experts of so many tokens of the small model, as SGLang sends them: little-endian int32 [tokens, L, k]. */
public final class TokenRows {
    private static final Geometry GEOMETRY = Fixtures.GEOMETRY;
    private final int[][][] experts;

    private TokenRows(int[][][] experts) {
        this.experts = experts;
    }

    public static TokenRows drawn(long seed, int tokens) {
        SplittableRandom random = new SplittableRandom(seed);
        int[][][] experts = new int[tokens][GEOMETRY.layers()][GEOMETRY.topK()];
        for (int[][] token : experts) {
            for (int[] layer : token) {
                int first = random.nextInt(GEOMETRY.experts());
                for (int rank = 0; rank < layer.length; rank++) {
                    layer[rank] = (first + rank) % GEOMETRY.experts();
                }
            }
        }
        return new TokenRows(experts);
    }

    public String base64() {
        ByteBuffer bytes = ByteBuffer.allocate(experts.length * GEOMETRY.layers() * GEOMETRY.topK() * Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int[][] token : experts) {
            for (int[] layer : token) {
                for (int expert : layer) {
                    bytes.putInt(expert);
                }
            }
        }
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    /** The counts of the tokens from the one at {@code from} to before {@code to}. */
    public ExpertCounts counts(int from, int to) {
        int[] cells = new int[GEOMETRY.cells()];
        for (int token = from; token < to; token++) {
            for (int layer = 0; layer < GEOMETRY.layers(); layer++) {
                for (int expert : experts[token][layer]) {
                    cells[layer * GEOMETRY.experts() + expert]++;
                }
            }
        }
        return ExpertCounts.of(GEOMETRY.layers(), GEOMETRY.experts(), cells);
    }
}
