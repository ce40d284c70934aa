package io.eldr.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrawnTokensTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyTokenTakesKExpertsAndEachAsOftenAsTheCountsSay(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int experts = 2 + random.nextInt(130);
        Geometry geometry = new Geometry(3, experts, 1 + random.nextInt(Math.min(8, experts)));
        int tokens = 1 + random.nextInt(200);
        ExpertCounts counts = decoded(geometry, tokens, random);
        DecodeTokens source = DecodeTokens.drawn(geometry);
        int[] seen = new int[geometry.cells()];
        int draws = 0;
        for (int s = 0; s < 500; s++) {
            ExpertSets sets = source.of(sample(counts), 4, 1000 * seed + s).orElseThrow();
            assertThat(sets.tokens()).isEqualTo(4);
            for (int t = 0; t < sets.tokens(); t++, draws++) {
                for (int layer = 0; layer < 3; layer++) {
                    assertThat(sets.experts(t, layer, geometry)).isEqualTo(geometry.topK());
                    for (int e = 0; e < experts; e++) {
                        seen[layer * experts + e] += sets.contains(t, layer, e, geometry) ? 1 : 0;
                    }
                }
            }
        }
        for (int cell = 0; cell < seen.length; cell++) {
            assertThat((double) seen[cell] / draws).isCloseTo((double) counts.cell(cell) / tokens, within(0.06));
        }
    }

    @Test
    void anExpertThatCountsMoreThanATokenCanUseItIsAlwaysTaken() {
        Geometry geometry = new Geometry(1, 4, 2);
        ExpertCounts counts = ExpertCounts.of(1, 4, new int[] {0, 90, 5, 5});
        ExpertSets sets = DecodeTokens.drawn(geometry).of(sample(counts), 10, 1).orElseThrow();
        int third = 0;
        for (int t = 0; t < 10; t++) {
            assertThat(sets.contains(t, 0, 1, geometry)).isTrue();
            assertThat(sets.experts(t, 0, geometry)).isEqualTo(2);
            third += sets.contains(t, 0, 2, geometry) ? 1 : 0;
        }
        assertThat(third).isBetween(4, 6);
    }

    @Test
    void aLayerWithFewerExpertsThanATokenTakesGivesWhatItHas() {
        Geometry geometry = new Geometry(2, 3, 2);
        ExpertCounts counts = ExpertCounts.of(2, 3, new int[] {0, 7, 0, 0, 0, 0});
        ExpertSets sets = DecodeTokens.drawn(geometry).of(sample(counts), 3, 1).orElseThrow();
        assertThat(sets.experts(2, 0, geometry)).isEqualTo(1);
        assertThat(sets.experts(2, 1, geometry)).isZero();
    }

    @Test
    void nothingIsDrawnWhereNothingIsKnown() {
        Geometry geometry = new Geometry(1, 2, 1);
        RequestSample blank =
                new RequestSample("r", "", 1, ExpertCounts.of(1, 2, new int[] {1, 0}), Optional.empty(), 0);
        assertThat(DecodeTokens.drawn(geometry).of(blank, 3, 1)).isEmpty();
        assertThat(DecodeTokens.drawn(geometry).of(sample(ExpertCounts.zero(1, 2)), 3, 1))
                .isEmpty();
    }

    private static RequestSample sample(ExpertCounts decode) {
        return new RequestSample("r", "", 1, decode, Optional.of(decode), 1);
    }

    private static ExpertCounts decoded(Geometry geometry, int tokens, SplittableRandom random) {
        int[] cells = new int[geometry.cells()];
        for (int layer = 0; layer < geometry.layers(); layer++) {
            for (int t = 0; t < tokens; t++) {
                int first = (int) (geometry.experts() * random.nextDouble() * random.nextDouble());
                for (int j = 0; j < geometry.topK(); j++) {
                    cells[layer * geometry.experts() + (first + j) % geometry.experts()]++;
                }
            }
        }
        return ExpertCounts.of(geometry.layers(), geometry.experts(), cells);
    }
}
