package io.eldr.core.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpearmanTest {
    @Test
    void tiesShareTheAverageOfTheirRanks() {
        assertThat(Spearman.ranks(new double[] {3, -1, 3, 7, 3})).containsExactly(3, 1, 3, 5, 3);
    }

    @Test
    void matchesAValueWorkedOutByHand() {
        // Ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4: products 4.5, squares 4.5 and 5.
        assertThat(Spearman.correlation(new double[] {1, 2, 2, 9}, new double[] {-5, 0.2, 0.1, 3}))
                .hasValueCloseTo(4.5 / Math.sqrt(4.5 * 5), within(1e-15));
    }

    @Test
    void isOneForTheSameOrderAndMinusOneForTheOpposite() {
        double[] x = {-2.5, 1e-300, 4, 1e300};

        assertThat(Spearman.correlation(x, new double[] {1, 2, 3, 4})).hasValue(1);
        assertThat(Spearman.correlation(x, new double[] {4, 3, 2, -1})).hasValue(-1);
    }

    @Test
    void isUndefinedWhereOneSideIsConstant() {
        assertThat(Spearman.correlation(new double[] {2, 2, 2}, new double[] {1, 2, 3}))
                .isEmpty();
        assertThat(Spearman.correlation(new double[] {1, 2, 3}, new double[] {2, 2, 2}))
                .isEmpty();
        assertThat(Spearman.correlation(new double[] {1}, new double[] {1})).isEmpty();
        assertThat(Spearman.correlation(new float[0], new float[0])).isEmpty();
    }

    @Test
    void bothZerosAreTheSameValue() {
        assertThat(Spearman.ranks(new double[] {0.0, -0.0, 1, -1})).containsExactly(2.5, 2.5, 4, 1);
    }

    @Test
    void refusesWhatHasNoRank() {
        assertThatIllegalArgumentException().isThrownBy(() -> Spearman.ranks(new double[] {1, Double.NaN}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Spearman.correlation(new double[] {1, 2}, new double[] {1, 2, 3}));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void agreesWithRanksCountedOneByOne(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int n = 2 + random.nextInt(400);
        float[] x = randomValues(n, random);
        float[] y = randomValues(n, random);
        double expected = pearson(naiveRanks(wide(x)), naiveRanks(wide(y)));

        assertThat(Spearman.correlation(x, y)).hasValueCloseTo(expected, within(1e-12));
        assertThat(Spearman.correlation(wide(x), wide(y))).hasValueCloseTo(expected, within(1e-12));
        assertThat(Spearman.ranks(wide(x))).containsExactly(naiveRanks(wide(x)));

        RankCorrelator correlator = new RankCorrelator(Ranks.of(y));
        for (int again = 0; again < 2; again++) {
            for (int i = 0; i < n; i++) {
                correlator.set(i, x[i]);
            }
            assertThat(correlator.correlation()).isCloseTo(expected, within(1e-12));
        }
    }

    @Test
    void theCorrelatorKnowsWhereItIsUndefined() {
        RankCorrelator constantTarget = new RankCorrelator(Ranks.of(new float[] {1, 1}));
        constantTarget.set(0, 1);
        constantTarget.set(1, 2);
        RankCorrelator constantValues = new RankCorrelator(Ranks.of(new float[] {1, 2}));
        constantValues.set(0, -3);
        constantValues.set(1, -3);

        assertThat(constantTarget.correlation()).isNaN();
        assertThat(constantValues.correlation()).isNaN();
    }

    /** Values of very different sizes and both signs, some of them equal. */
    private static float[] randomValues(int n, SplittableRandom random) {
        float[] values = new float[n];
        for (int i = 0; i < n; i++) {
            values[i] = switch (random.nextInt(4)) {
                case 0 -> random.nextInt(5) - 2;
                case 1 -> (float) random.nextDouble(-1e-30, 1e-30);
                case 2 -> (float) random.nextDouble(-1e30, 1e30);
                default -> (float) random.nextDouble();
            };
        }
        return values;
    }

    private static double[] wide(float[] values) {
        double[] wide = new double[values.length];
        for (int i = 0; i < wide.length; i++) {
            wide[i] = values[i];
        }
        return wide;
    }

    /** Rank = 1 + how many are smaller + half of how many others are equal. */
    static double[] naiveRanks(double[] values) {
        double[] ranks = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            ranks[i] = 1;
            for (int j = 0; j < values.length; j++) {
                if (values[j] < values[i]) {
                    ranks[i] += 1;
                } else if (values[j] == values[i] && j != i) {
                    ranks[i] += 0.5;
                }
            }
        }
        return ranks;
    }

    static double pearson(double[] x, double[] y) {
        double xMean = Arrays.stream(x).average().orElseThrow();
        double yMean = Arrays.stream(y).average().orElseThrow();
        double products = 0;
        double xSquares = 0;
        double ySquares = 0;
        for (int i = 0; i < x.length; i++) {
            products += (x[i] - xMean) * (y[i] - yMean);
            xSquares += (x[i] - xMean) * (x[i] - xMean);
            ySquares += (y[i] - yMean) * (y[i] - yMean);
        }
        return products / Math.sqrt(xSquares * ySquares);
    }
}
