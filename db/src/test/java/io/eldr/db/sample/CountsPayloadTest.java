package io.eldr.db.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.ExpertCounts;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountsPayloadTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givesBackTheSameCounts(long seed) {
        ExpertCounts counts = random(seed);
        assertThat(CountsPayload.decode(encode(counts))).isEqualTo(counts);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, Integer.MAX_VALUE})
    void keepsCellsOfAnySize(int cell) {
        ExpertCounts counts = ExpertCounts.of(1, 2, new int[] {cell, 1});
        byte[] payload = encode(counts);
        assertThat(CountsPayload.decode(payload)).isEqualTo(counts);
        assertThat(payload[0]).isEqualTo((byte) (cell <= 65_535 ? 1 : 2));
    }

    @Test
    void encodesOneAfterTheOtherAsIfEachWereAlone() {
        try (CountsEncoder encoder = new CountsEncoder()) {
            for (long seed = 0; seed < 10; seed++) {
                assertThat(encoder.encode(random(seed))).isEqualTo(encode(random(seed)));
            }
        }
    }

    @Test
    void readsPayloadsThatRepetitionsWereTakenOutOf() {
        byte[] stored = HexFormat.of().parseHex("010200040078016360606460626066d061646560636067000001ff0046");
        assertThat(CountsPayload.decode(stored)).isEqualTo(ExpertCounts.of(2, 4, new int[] {0, 1, 2, 3, 300, 5, 6, 7}));
    }

    @Test
    void takesLessThanTwoThirdsOfThePlainCellsEvenOfAPromptThatTouchesEverything() {
        RandomGenerator random = new SplittableRandom(7);
        int[] cells = new int[48 * 128];
        for (int token = 0; token < 1_500; token++) {
            for (int layer = 0; layer < 48; layer++) {
                for (int rank = 0; rank < 8; rank++) {
                    int expert = (int) Math.min(127, Math.abs(random.nextGaussian()) * 40);
                    cells[layer * 128 + expert]++;
                }
            }
        }
        assertThat(encode(ExpertCounts.of(48, 128, cells))).hasSizeLessThan(2 * 48 * 128 * 2 / 3);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noticesEveryTruncation(long seed) {
        byte[] payload = encode(random(seed));
        for (int length = 0; length < payload.length; length++) {
            byte[] cut = Arrays.copyOf(payload, length);
            assertThatExceptionOfType(CorruptPayloadException.class).isThrownBy(() -> CountsPayload.decode(cut));
        }
        byte[] longer = Arrays.copyOf(payload, payload.length + 1);
        assertThatExceptionOfType(CorruptPayloadException.class).isThrownBy(() -> CountsPayload.decode(longer));
    }

    /** A few bits between the end of the cells and the checksum mean nothing; all others must be noticed. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void neverGivesOtherCountsWhenABitIsFlipped(long seed) {
        ExpertCounts counts = random(seed);
        byte[] payload = encode(counts);
        int unnoticed = 0;
        for (int bit = 0; bit < payload.length * 8; bit++) {
            byte[] flipped = payload.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                assertThat(CountsPayload.decode(flipped)).isEqualTo(counts);
                unnoticed++;
            } catch (CorruptPayloadException noticed) {
                assertThat(noticed).hasMessageStartingWith("stored counts are corrupt: ");
            }
        }
        assertThat(unnoticed).isLessThan(8);
    }

    private static byte[] encode(ExpertCounts counts) {
        try (CountsEncoder encoder = new CountsEncoder()) {
            return encoder.encode(counts);
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, 10);
    }

    private static ExpertCounts random(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        int layers = 1 + random.nextInt(5);
        int experts = 1 + random.nextInt(17);
        int bound = random.nextBoolean() ? 300 : 3_000_000;
        return ExpertCounts.of(
                layers, experts, random.ints((long) layers * experts, 0, bound).toArray());
    }
}
