package io.eldr.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.InvalidInputException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpertPlacementTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void everyExpertStandsAtExactlyOnePositionAndEveryRankHasAsMany(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int ranks = 1 + random.nextInt(8);
        DecodePatterns patterns =
                patterns(1 + random.nextInt(5), 1 + random.nextInt(4), ranks * (1 + random.nextInt(9)), random);
        ExpertPlacement placement = ExpertPlacement.of(names(patterns), patterns, ranks, 1 + random.nextInt(64));
        for (int k = 0; k < patterns.clusters(); k++) {
            for (int layer = 0; layer < patterns.layers(); layer++) {
                boolean[] placed = new boolean[patterns.experts()];
                for (int position = 0; position < patterns.experts(); position++) {
                    int expert = placement.expertAt(k, layer, position);
                    assertThat(placed[expert]).isFalse();
                    placed[expert] = true;
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aDecodersOwnLayoutIsNeverWorseThanLeavingExpertsInOrder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DecodePatterns patterns = patterns(4, 3, 32, random);
        ExpertPlacement placement = ExpertPlacement.of(names(patterns), patterns, 8, 1 + random.nextInt(64));
        for (RankLoads loads : placement.loads()) {
            assertThat(loads.perDecoder()).isBetween(1 - 1e-12, loads.contiguous() + 1e-12);
        }
        assertThat(placement.meanLoads().perDecoder())
                .isLessThanOrEqualTo(placement.meanLoads().global() + 0.02);
    }

    @Test
    void heavyExpertsAreSpreadOverRanks() {
        // Two ranks of two; in order the first would hold both heavy ones.
        DecodePatterns patterns =
                DecodePatterns.of(1, 4, List.of(PatternBasis.DECODE), new double[] {0.9, 0.8, 0.2, 0.1});
        ExpertPlacement placement = ExpertPlacement.of(List.of("a"), patterns, 2, 1);
        assertThat(IntStream.range(0, 4).map(i -> placement.expertAt(0, 0, i))).containsExactly(0, 3, 1, 2);
        assertThat(placement.meanLoads().contiguous()).isCloseTo(1.7, within(1e-3));
        assertThat(placement.meanLoads().perDecoder()).isCloseTo(1, within(1e-3));
        assertThat(placement.toJson())
                .startsWith("{\"ranks\":2,\"batch\":1,\"layers\":1,\"experts\":4,\"maxToMeanLoad\":{\"contiguous\":1.")
                .contains("{\"decoder\":\"a\",\"basis\":\"decode\",")
                .endsWith("\"layout\":[[0,3,1,2]]}]}");
    }

    @Test
    void decodersWithDifferentPatternsNeedLayoutsOfTheirOwn() {
        DecodePatterns patterns = DecodePatterns.of(
                1, 4, List.of(PatternBasis.DECODE, PatternBasis.PROMPT, PatternBasis.DECODE), new double[] {
                    0.9, 0.9, 0.1, 0.1, 0.9, 0.1, 0.9, 0.1, 0.9, 0.1, 0.1, 0.9
                });
        ExpertPlacement placement = ExpertPlacement.of(List.of("a", "b", "c"), patterns, 2, 1);
        RankLoads mean = placement.meanLoads();
        assertThat(mean.perDecoder()).isCloseTo(1, within(1e-3));
        assertThat(mean.global()).isGreaterThan(1.2);
        assertThat(placement.basis(1)).isEqualTo(PatternBasis.PROMPT);
    }

    @Test
    void expertsThatNobodyUsesAreStillPlaced() {
        DecodePatterns patterns = DecodePatterns.of(1, 4, List.of(PatternBasis.POOL), new double[4]);
        ExpertPlacement placement = ExpertPlacement.of(List.of("a"), patterns, 4, 32);
        assertThat(IntStream.range(0, 4).map(i -> placement.expertAt(0, 0, i))).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(placement.meanLoads()).isEqualTo(new RankLoads(1, 1, 1));
    }

    @Test
    void ranksThatDoNotDivideTheExpertsAreRefusedByName() {
        DecodePatterns patterns = DecodePatterns.of(1, 4, List.of(PatternBasis.DECODE), new double[4]);
        for (int ranks : new int[] {0, -1, 3, 8}) {
            assertThatThrownBy(() -> ExpertPlacement.of(List.of("a"), patterns, ranks, 32))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("ranks: must divide the 4 experts of a layer but is " + ranks);
        }
        assertThatThrownBy(() -> ExpertPlacement.of(List.of("a"), patterns, 2, 0))
                .hasMessageStartingWith("batch: must be between");
        assertThatThrownBy(() -> ExpertPlacement.of(List.of("a", "b"), patterns, 2, 32))
                .hasMessageStartingWith("decoders: are 2");
    }

    @Test
    void patternsAreKeptInSmallSteps() {
        DecodePatterns patterns = DecodePatterns.of(1, 3, List.of(PatternBasis.DECODE), new double[] {0, 0.37, 1});
        assertThat(patterns.probability(0, 0, 1)).isCloseTo(0.37, within(1e-5));
        assertThat(patterns.probability(0, 0, 2)).isEqualTo(1);
        assertThat(DecodePatterns.ofSteps(1, 3, patterns.bases(), patterns.toSteps()))
                .isEqualTo(patterns)
                .hasSameHashCodeAs(patterns);
        assertThatThrownBy(() -> DecodePatterns.of(1, 1, List.of(PatternBasis.DECODE), new double[] {Double.NaN}))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> DecodePatterns.of(1, 2, List.of(PatternBasis.DECODE), new double[1]))
                .hasMessageContaining("must hold 1 x 1 x 2");
        assertThatThrownBy(() ->
                        DecodePatterns.of(1_000, 4_096, Collections.nCopies(2, PatternBasis.DECODE), new double[0]))
                .hasMessageContaining("more than");
    }

    private static DecodePatterns patterns(int clusters, int layers, int experts, SplittableRandom random) {
        double[] values = new double[clusters * layers * experts];
        Arrays.setAll(values, i -> random.nextDouble() < 0.3 ? random.nextDouble() : 0.1 * random.nextDouble());
        return DecodePatterns.of(layers, experts, Collections.nCopies(clusters, PatternBasis.DECODE), values);
    }

    private static List<String> names(DecodePatterns patterns) {
        return IntStream.range(0, patterns.clusters())
                .mapToObj(k -> "decoder-" + k)
                .toList();
    }
}
