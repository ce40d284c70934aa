package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.DecodeForecast;
import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.artifact.PatternNeighbours;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.PatternBasis;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.SignatureSpec;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FoldedForecastTest {
    /** Ten tokens in each of so many layers, all on one expert. */
    private static ExpertCounts prompt(int layers, int experts, int expert) {
        int[] cells = new int[layers * experts];
        for (int layer = 0; layer < layers; layer++) {
            cells[layer * experts + expert] = 10;
        }
        return ExpertCounts.of(layers, experts, cells);
    }

    /** Group m's requests use expert m alone; so do its prompts. */
    private static DecodePatterns patterns(int groups, int layers, int experts) {
        double[] probabilities = new double[groups * layers * experts];
        for (int m = 0; m < groups; m++) {
            for (int layer = 0; layer < layers; layer++) {
                probabilities[(m * layers + layer) * experts + m] = 1;
            }
        }
        return DecodePatterns.of(layers, experts, Collections.nCopies(groups, PatternBasis.DECODE), probabilities);
    }

    private static Centroids centroids(int groups, int experts) {
        float[] values = new float[groups * experts];
        for (int m = 0; m < groups; m++) {
            values[m * experts + m] = 1;
        }
        return Centroids.of(groups, experts, values);
    }

    private static FoldedForecast forecast(int layers, int experts, Optional<DecodeForecast> forecast) {
        LayerMask first = LayerMask.of(layers, 0);
        RoutingArtifact artifact = new RoutingArtifact(
                new ModelIdentity("toy", "", new Geometry(layers, experts, 1)),
                SignatureSpec.count(layers, experts, first),
                centroids(2, experts),
                List.of("a", "b"),
                0.1,
                new Evidence(
                        0,
                        0,
                        Map.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Optional.of(patterns(2, layers, experts)),
                        Map.of(),
                        Map.of(),
                        forecast));
        return ActiveArtifact.of(1, artifact, artifact.slots()).forecast().orElseThrow();
    }

    private static DecodeForecast neighbours(double share, int nearest, double temperature) {
        return new DecodeForecast(
                share,
                Optional.of(new PatternNeighbours(
                        LayerMask.of(3, 1), centroids(4, 8), patterns(4, 3, 8), nearest, temperature)),
                Map.of());
    }

    @Test
    void anArtifactWithoutOneMixesHalfThePromptWithHalfItsCluster() {
        int[] mixed = new int[3 * 8];
        Arrays.fill(mixed, 0);
        for (int layer = 0; layer < 3; layer++) {
            mixed[layer * 8 + 1] = 6;
            mixed[layer * 8 + 5] = 4;
        }
        UsePrediction use = forecast(3, 8, Optional.empty())
                .predict(ExpertCounts.of(3, 8, mixed))
                .orElseThrow();

        assertThat(use.probability(1)).isCloseTo(0.5 * 0.6 + 0.5, within(1e-4));
        assertThat(use.probability(5)).isCloseTo(0.5 * 0.4, within(1e-4));
        assertThat(use.probability(0)).isZero();
        assertThat(use.contextTokens()).isEqualTo(10);
        assertThat(use.total()).isCloseTo(3, within(1e-3));
    }

    @Test
    void theNearestGroupsAreWeightedBySimilarity() {
        int[] counts = new int[3 * 8];
        for (int layer = 0; layer < 3; layer++) {
            counts[layer * 8 + 3] = 8;
            counts[layer * 8 + 2] = 6;
        }
        UsePrediction use = forecast(3, 8, Optional.of(neighbours(0, 2, 0.2)))
                .predict(ExpertCounts.of(3, 8, counts))
                .orElseThrow();

        double second = Math.exp(-0.2 / 0.2);
        assertThat(use.probability(3)).isCloseTo(1 / (1 + second), within(1e-3));
        assertThat(use.probability(2)).isCloseTo(second / (1 + second), within(1e-3));
        assertThat(use.shared().probability(3)).isGreaterThan(0.97);
    }

    @Test
    void thePromptAloneIsItsOwnFrequencies() {
        UsePrediction use = forecast(3, 8, Optional.of(neighbours(1, 4, 0.05)))
                .predict(prompt(3, 8, 7))
                .orElseThrow();

        assertThat(use.probability(7)).isEqualTo(1);
        assertThat(use.total()).isEqualTo(3);
    }

    @Test
    void ofALargeModelOnlySomeLayersAreJudged() {
        FoldedForecast large = forecast(48, 128, Optional.empty());
        UsePrediction use = large.predict(prompt(48, 128, 1)).orElseThrow();

        assertThat(use.cells()).isEqualTo(24 * 128);
        assertThat(large.layersForOne()).isEqualTo(2);
        assertThat(use.own().ownBytes()).isEqualTo(1_536);
        float[] told = new float[48 * 128];
        Arrays.fill(told, 0.25f);
        assertThat(large.told(told, 9).total()).isEqualTo(24 * 128 * 0.25);
        assertThat(forecast(61, 256, Optional.empty())
                        .predict(prompt(61, 256, 1))
                        .orElseThrow()
                        .cells())
                .isLessThanOrEqualTo(4_096);
        assertThat(forecast(3, 8, Optional.empty()).layersForOne()).isEqualTo(1);
    }
}
