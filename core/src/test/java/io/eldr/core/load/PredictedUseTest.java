package io.eldr.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.InvalidInputException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredictedUseTest {
    @Test
    void aProbabilityIsKeptByItsNearestLevel() {
        float[] probabilities = {0, 0.005f, 0.02f, 0.05f, 0.1f, 0.25f, 0.5f, 0.8f, 0.98f, 1};
        PredictedUse use = PredictedUse.of(probabilities, 7);

        assertThat(use.cells()).isEqualTo(10);
        assertThat(use.contextTokens()).isEqualTo(7);
        assertThat(use.probability(0)).isZero();
        assertThat(use.probability(1)).isZero();
        for (int i = 2; i < probabilities.length; i++) {
            double kept = -Math.log1p(-use.probability(i));
            double given = -Math.log1p(-Math.min(0.98, probabilities[i]));
            assertThat(kept).as("cell %d", i).isCloseTo(given, within(0.21 * given));
        }
        assertThat(use.probability(9)).isLessThan(0.98);
    }

    @ParameterizedTest(name = "{0} cells")
    @ValueSource(ints = {1, 2, 7, 64, 6_144})
    void whatIsAddedCanBeTakenOutWithoutARest(int cells) {
        SplittableRandom random = new SplittableRandom(cells);
        int[] sums = random.ints(cells, 0, 1_000).toArray();
        int[] before = sums.clone();
        PredictedUse use = PredictedUse.of(floats(random, cells), 0);

        use.addTo(sums);
        for (int i = 0; i < cells; i++) {
            assertThat(sums[i] - before[i]).isEqualTo(use.units(i));
        }
        use.takeFrom(sums);
        assertThat(sums).isEqualTo(before);
    }

    @Test
    void aSharedPatternTakesNoMemoryOfItsOwn() {
        PredictedUse pattern = PredictedUse.of(new float[6_144], 0);

        assertThat(pattern.ownBytes()).isEqualTo(3_072);
        assertThat(pattern.sharedBy(500).ownBytes()).isZero();
        assertThat(pattern.sharedBy(500).contextTokens()).isEqualTo(500);
    }

    @ParameterizedTest
    @ValueSource(floats = {-0.1f, 1.1f, Float.NaN, Float.POSITIVE_INFINITY})
    void whatIsNoProbabilityIsRefused(float value) {
        assertThatThrownBy(() -> PredictedUse.of(new float[] {value}, 0))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("use");
    }

    static float[] floats(SplittableRandom random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            double value = random.nextDouble();
            values[i] = (float) (value * value * value);
        }
        return values;
    }
}
