package io.eldr.core.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.IdfWeights;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GreedyLayerMaskTest {
    private static final Parallel ALONE = Parallel.sequential();

    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({"COUNT,1", "COUNT,2", "COUNT,3", "COUNT_IDF,4", "COUNT_IDF,5", "COUNT_IDF,6", "BINARY,7", "BINARY,8"})
    void addsTheLayerThatWholeSignaturesFindBest(Representation representation, long seed) {
        int layers = 6;
        SyntheticRequests all = SyntheticRequests.of(60, layers, 9, seed);
        SyntheticRequests fit = all.subset(0, 35);
        SyntheticRequests select = all.subset(35, 60);
        SignatureSpec spec = spec(representation, layers, 9, fit.prefill());
        RequestPairs fitPairs = RequestPairs.random(35, 400, new SplittableRandom(seed));
        RequestPairs selectPairs = RequestPairs.all(25);

        LayerSearch search = GreedyLayerMask.search(
                Rho.against(fit.decoded(), fitPairs, ALONE),
                LayerProducts.of(spec, fit.prefill(), fitPairs, ALONE),
                Rho.against(select.decoded(), selectPairs, ALONE),
                LayerProducts.of(spec, select.prefill(), selectPairs, ALONE),
                ALONE);

        List<Integer> added = new ArrayList<>();
        double[] naiveSelect = new double[layers];
        for (int step = 0; step < layers; step++) {
            int best = -1;
            double bestRho = Double.NEGATIVE_INFINITY;
            for (int layer = 0; layer < layers; layer++) {
                if (!added.contains(layer)) {
                    double rho = NaiveRho.of(with(spec, added, layer), fit, fitPairs);
                    if (rho > bestRho) {
                        best = layer;
                        bestRho = rho;
                    }
                }
            }
            assertThat(search.order()[step]).isEqualTo(best);
            assertThat(search.fitRho(step + 1)).hasValueCloseTo(bestRho, within(1e-5));
            naiveSelect[step] = NaiveRho.of(with(spec, added, best), select, selectPairs);
            assertThat(search.selectRho(step + 1)).hasValueCloseTo(naiveSelect[step], within(1e-5));
            added.add(best);
        }
        int size = search.bestSize().orElseThrow();
        assertThat(naiveSelect[size - 1])
                .isCloseTo(Arrays.stream(naiveSelect).max().orElseThrow(), within(1e-5));
        assertThat(search.bestMask())
                .contains(LayerMask.ofUnordered(
                        layers, added.subList(0, size).stream().mapToInt(i -> i).toArray()));
    }

    @ParameterizedTest(name = "{0} lanes")
    @ValueSource(ints = {2, 3, 5})
    void findsTheSameBitForBitWhateverTheNumberOfThreads(int lanes) {
        SyntheticRequests requests = SyntheticRequests.of(50, 9, 8, 11);
        try (ExecutorService executor = Executors.newFixedThreadPool(lanes - 1)) {
            LayerSearch alone = search(Representation.COUNT_IDF, requests, ALONE);
            LayerSearch together = search(Representation.COUNT_IDF, requests, Parallel.on(executor, lanes));

            assertThat(together.order()).isEqualTo(alone.order());
            assertThat(together.selectCurve()).isEqualTo(alone.selectCurve());
        }
    }

    @Test
    void ofLayersThatDoEquallyWellTheLowestIsAdded() {
        // Every layer holds the same counts, so every mask is as good as any other.
        SyntheticRequests one = SyntheticRequests.of(12, 1, 6, 3);
        SyntheticRequests four = new SyntheticRequests(
                one.prefill().stream().map(c -> repeated(c, 4)).toList(), one.decoded());

        LayerSearch search = search(Representation.COUNT, four, ALONE);

        assertThat(search.order()).containsExactly(0, 1, 2, 3);
        assertThat(search.bestSize()).hasValue(1);
        assertThat(search.bestMask()).contains(LayerMask.of(4, 0));
    }

    @Test
    void aLayerWithoutCountsComesLast() {
        SyntheticRequests full = SyntheticRequests.of(20, 3, 6, 5);
        SyntheticRequests requests = new SyntheticRequests(
                full.prefill().stream().map(c -> withoutLayer(c, 0)).toList(), full.decoded());

        LayerSearch search = search(Representation.COUNT, requests, ALONE);

        assertThat(search.order()[0]).isNotZero();
        assertThat(search.fitRho(1)).isPresent();
        assertThat(search.bestSize().orElseThrow()).isLessThan(3);
    }

    @Test
    void findsNoMaskWhereRhoIsUndefinedThroughout() {
        List<ExpertCounts> same = Collections.nCopies(
                5, SyntheticRequests.of(1, 3, 6, 1).prefill().getFirst());

        LayerSearch search = search(Representation.COUNT, new SyntheticRequests(same, same), ALONE);

        assertThat(search.order()).containsExactly(0, 1, 2);
        assertThat(search.selectCurve()).containsOnly(Double.NaN);
        assertThat(search.selectRho(1)).isEmpty();
        assertThat(search.bestSize()).isEmpty();
        assertThat(search.bestMask()).isEmpty();
    }

    private static LayerSearch search(Representation representation, SyntheticRequests requests, Parallel parallel) {
        ExpertCounts shape = requests.prefill().getFirst();
        SignatureSpec spec = spec(representation, shape.layers(), shape.experts(), requests.prefill());
        RequestPairs pairs = RequestPairs.all(requests.prefill().size());
        return GreedyLayerMask.search(
                Rho.against(requests.decoded(), pairs, parallel),
                LayerProducts.of(spec, requests.prefill(), pairs, parallel),
                parallel);
    }

    private static SignatureSpec spec(
            Representation representation, int layers, int experts, List<ExpertCounts> prefill) {
        LayerMask all = LayerMask.all(layers);
        return switch (representation) {
            case COUNT -> SignatureSpec.count(layers, experts, all);
            case COUNT_IDF -> SignatureSpec.countIdf(all, IdfWeights.fit(layers, experts, prefill));
            case BINARY -> SignatureSpec.binary(layers, experts, all);
        };
    }

    private static SignatureSpec with(SignatureSpec spec, List<Integer> added, int layer) {
        int[] layers = new int[added.size() + 1];
        for (int i = 0; i < added.size(); i++) {
            layers[i] = added.get(i);
        }
        layers[added.size()] = layer;
        return NaiveRho.masked(spec, LayerMask.ofUnordered(spec.layers(), layers));
    }

    private static ExpertCounts repeated(ExpertCounts counts, int times) {
        int[] cells = new int[counts.size() * times];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = counts.cell(i % counts.size());
        }
        return ExpertCounts.of(times, counts.experts(), cells);
    }

    private static ExpertCounts withoutLayer(ExpertCounts counts, int layer) {
        int[] cells = counts.toArray();
        Arrays.fill(cells, layer * counts.experts(), (layer + 1) * counts.experts(), 0);
        return ExpertCounts.of(counts.layers(), counts.experts(), cells);
    }
}
