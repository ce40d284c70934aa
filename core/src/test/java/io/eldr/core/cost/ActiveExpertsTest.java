package io.eldr.core.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActiveExpertsTest {
    private static final int LAYERS = 3;
    private static final int EXPERTS = 130;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void countsEachExpertOfALayerOnce(long seed) {
        Random random = new Random(seed);
        ActiveExperts union = new ActiveExperts(LAYERS, EXPERTS);
        Set<Integer> plain = new HashSet<>();
        for (int request = 0; request < 20; request++) {
            ActiveExperts one = new ActiveExperts(LAYERS, EXPERTS);
            for (int i = 0; i < 8; i++) {
                int layer = random.nextInt(LAYERS);
                int expert = random.nextInt(EXPERTS);
                one.add(layer, expert);
                plain.add(layer * EXPERTS + expert);
            }
            union.addAll(one);
        }

        assertThat(union.total()).isEqualTo(plain.size());
        int sum = 0;
        for (int layer = 0; layer < LAYERS; layer++) {
            sum += union.inLayer(layer);
            for (int expert = 0; expert < EXPERTS; expert++) {
                assertThat(union.contains(layer, expert)).isEqualTo(plain.contains(layer * EXPERTS + expert));
            }
        }
        assertThat(sum).isEqualTo(plain.size());
        union.clear();
        assertThat(union.total()).isZero();
    }

    @Test
    void theBusiestRankOfEachLayerCounts() {
        ActiveExperts union = new ActiveExperts(2, 4);
        union.add(0, 0);
        union.add(0, 1);
        union.add(0, 3);
        union.add(1, 2);
        int[][] rankOf = {{0, 0, 1, 1}, {0, 0, 1, 1}};

        assertThat(union.onBusiestRanks(rankOf, 2)).isEqualTo(2 + 1);
        assertThat(union.onBusiestRanks(new int[2][4], 1)).isEqualTo(union.total());
    }

    @Test
    void setsOfAnotherShapeDoNotFit() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new ActiveExperts(2, 4).addAll(new ActiveExperts(2, 5)));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> new ActiveExperts(2, 4).add(0, 4));
    }
}
