package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LabelPlacementTest {
    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @Test
    void decodersAreDividedByLargestRemainder() {
        LabelPlacement placement =
                LabelPlacement.of(Map.of("code", 0.47, "law", 0.16, "math", 0.37), TestPools.slots(8));

        // Quotas 3.76, 1.28 and 2.96: code and math have the largest remainders.
        assertThat(placement.slots("code"))
                .containsExactlyInAnyOrder("decoder-0", "decoder-1", "decoder-2", "decoder-3");
        assertThat(placement.slots("law")).containsExactly("decoder-4");
        assertThat(placement.slots("math")).containsExactlyInAnyOrder("decoder-5", "decoder-6", "decoder-7");
    }

    @Test
    void theRarestLabelStillGetsADecoder() {
        LabelPlacement placement = LabelPlacement.of(Map.of("a", 0.98, "b", 0.01, "c", 0.01), TestPools.slots(3));

        assertThat(placement.slots("a")).containsExactly("decoder-0");
        assertThat(placement.slots("b")).containsExactly("decoder-1");
        assertThat(placement.slots("c")).containsExactly("decoder-2");
    }

    @Test
    void moreLabelsThanDecodersArePackedMostFrequentFirst() {
        LabelPlacement placement =
                LabelPlacement.of(Map.of("a", 0.4, "b", 0.3, "c", 0.2, "d", 0.1), List.of("decoder-1", "decoder-0"));

        assertThat(placement.slots("a")).containsExactly("decoder-0");
        assertThat(placement.slots("b")).containsExactly("decoder-1");
        assertThat(placement.slots("c")).containsExactly("decoder-1");
        assertThat(placement.slots("d")).containsExactly("decoder-0");
    }

    @Test
    void nothingIsSetAsideForALabelThatIsNotKnown() {
        assertThat(LabelPlacement.of(Map.of("a", 1.0), TestPools.slots(2)).slots("b"))
                .isEmpty();
        assertThat(LabelPlacement.of(Map.of(), TestPools.slots(2)).labels()).isEmpty();
        assertThat(LabelPlacement.of(Map.of("a", 1.0), List.of()).labels()).isEmpty();
    }

    @Test
    void labelsThatNeverOccurShareWhatIsLeft() {
        assertThat(LabelPlacement.numbers(new double[] {0, 0}, 5)).containsExactly(3, 2);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyLabelHasADecoderAndEveryDecoderIsUsedWhateverTheOrder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Double> shares = new TreeMap<>();
        for (int i = random.nextInt(1, 20); i >= 0; i--) {
            shares.put("label-" + i, Math.pow(random.nextDouble(), 4));
        }
        List<String> slots = TestPools.slots(random.nextInt(1, 20));
        LabelPlacement placement = LabelPlacement.of(shares, slots);
        Set<String> used = new HashSet<>();
        int given = 0;
        for (String label : shares.keySet()) {
            assertThat(placement.slots(label)).isNotEmpty();
            used.addAll(placement.slots(label));
            given += placement.slots(label).size();
        }
        if (shares.size() <= slots.size()) {
            assertThat(used).hasSameSizeAs(slots);
        }
        assertThat(given).isEqualTo(Math.max(shares.size(), slots.size()));
        LabelPlacement again = LabelPlacement.of(new TreeMap<>(shares).descendingMap(), slots.reversed());
        shares.keySet().forEach(label -> assertThat(again.slots(label)).isEqualTo(placement.slots(label)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noLabelIsFurtherFromItsQuotaThanTheMinimumOfOneForces(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] shares = random.doubles(random.nextInt(1, 10)).toArray();
        int decoders = shares.length + random.nextInt(0, 60);
        int[] numbers = LabelPlacement.numbers(shares, decoders);
        double total = Arrays.stream(shares).sum();

        assertThat(Arrays.stream(numbers).sum()).isEqualTo(decoders);
        for (int i = 0; i < shares.length; i++) {
            assertThat(numbers[i]).isPositive();
            if (Arrays.stream(shares).allMatch(share -> share / total * decoders >= 1)) {
                assertThat(Math.abs(numbers[i] - shares[i] / total * decoders)).isLessThan(1);
            }
        }
    }
}
