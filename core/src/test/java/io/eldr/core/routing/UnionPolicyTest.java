package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.DecodeForecast;
import io.eldr.core.artifact.Evidence;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.cost.DecoderModel;
import io.eldr.core.cost.ModelConstants;
import io.eldr.core.load.EngineReport;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.LoadUnit;
import io.eldr.core.load.LoadView;
import io.eldr.core.load.PredictedUse;
import io.eldr.core.placement.DecodePatterns;
import io.eldr.core.placement.PatternBasis;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Representation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UnionPolicyTest {
    private static final int LAYERS = 4;
    private static final int EXPERTS = 16;
    private static final int CELLS = LAYERS * EXPERTS;
    private static final OptionalInt UNLIMITED = OptionalInt.empty();
    private static final RandomGenerator RANDOM = new SplittableRandom(1);

    private final RoutingPolicy policy = PolicyName.UNION.create();
    private final LoadLedger ledger = new LoadLedger();

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    /** A pool whose artifact has two clusters of made-up patterns and goes by the prompt alone. */
    private static PoolSnapshot pool(List<Decoder> decoders, double promptShare) {
        RoutingArtifact artifact = artifact(new SplittableRandom(7), 2, promptShare);
        List<String> live = decoders.stream().map(Decoder::id).toList();
        ActiveArtifact active = ActiveArtifact.of(1, artifact, live);
        return PoolSnapshot.of("demo", 1, Optional.of(active), decoders, new BandRule(0.1, 1), false)
                .withForecast(active.forecast());
    }

    private static RoutingArtifact artifact(RandomGenerator random, int clusters, double promptShare) {
        RoutingArtifact plain = TestPools.randomArtifact(random, Representation.COUNT, LAYERS, EXPERTS, clusters);
        double[] probabilities = new double[clusters * CELLS];
        Arrays.setAll(probabilities, i -> random.nextDouble() * random.nextDouble());
        return new RoutingArtifact(
                plain.model(),
                plain.spec(),
                plain.centroids(),
                plain.slots(),
                0.1,
                new Evidence(
                        0,
                        0,
                        Map.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Optional.of(DecodePatterns.of(
                                LAYERS, EXPERTS, Collections.nCopies(clusters, PatternBasis.DECODE), probabilities)),
                        Map.of(),
                        Map.of(),
                        Optional.of(new DecodeForecast(promptShare, Optional.empty(), Map.of()))));
    }

    /** A prompt of ten tokens that all choose the same expert in each layer. */
    private static ExpertCounts prompt(int expert) {
        int[] cells = new int[CELLS];
        for (int layer = 0; layer < LAYERS; layer++) {
            cells[layer * EXPERTS + expert] = 10;
        }
        return ExpertCounts.of(LAYERS, EXPERTS, cells);
    }

    private LoadUnit run(PoolSnapshot pool, int decoder, ExpertCounts counts) {
        PredictedUse use =
                pool.forecast().orElseThrow().predict(counts).orElseThrow().own();
        int seen = ledger.inFlight(pool.decoder(decoder).incarnation());
        return ((LoadLedger.Reserved)
                        ledger.tryReserve(pool.decoder(decoder).incarnation(), seen, UNLIMITED, Optional.of(use)))
                .unit();
    }

    private Decision.Chosen decide(PoolSnapshot pool, DecisionRequest request) {
        return (Decision.Chosen) policy.decide(request, pool, ledger.view(pool.incarnations()), RANDOM);
    }

    @Test
    void goesWhereItsExpertsAreLoadedAlready() {
        PoolSnapshot pool = pool(TestPools.decoders(3), 1);
        ledger.view(pool.incarnations());
        for (int decoder = 0; decoder < 3; decoder++) {
            run(pool, decoder, prompt(decoder));
        }

        for (int expert = 0; expert < 3; expert++) {
            Decision.Chosen chosen = decide(pool, DecisionRequest.of(prompt(expert)));
            assertThat(chosen.index()).isEqualTo(expert);
            assertThat(chosen.reason()).isEqualTo(Reason.UNION);
            assertThat(chosen.policy()).isEqualTo(PolicyName.UNION);
            UnionPrices prices = chosen.evaluation().prices().orElseThrow();
            assertThat(prices.addedExperts(expert)).isLessThan(0.2);
            assertThat(prices.addedExperts((expert + 1) % 3)).isCloseTo(LAYERS, within(0.01));
            assertThat(prices.activeExperts(0)).isCloseTo(LAYERS, within(0.2));
        }
    }

    @Test
    void aDecoderThatIsFullOfItsKindGivesWayInTheEnd() {
        PoolSnapshot pool = pool(TestPools.decoders(2), 1);
        ledger.view(pool.incarnations());
        run(pool, 0, prompt(3));
        run(pool, 1, prompt(5));
        int there = 1;
        while (there < 2_000 && decide(pool, DecisionRequest.of(prompt(3))).index() == 0) {
            run(pool, 0, prompt(3));
            there++;
        }

        assertThat(there).isBetween(5, 500);
    }

    @Test
    void whatLeftNoLongerCounts() {
        PoolSnapshot pool = pool(TestPools.decoders(2), 1);
        ledger.view(pool.incarnations());
        LoadUnit first = run(pool, 0, prompt(1));
        run(pool, 1, prompt(2));
        assertThat(decide(pool, DecisionRequest.of(prompt(1))).index()).isZero();
        first.release();
        run(pool, 0, prompt(2));

        UnionPrices prices = decide(pool, DecisionRequest.of(prompt(1)))
                .evaluation()
                .prices()
                .orElseThrow();
        assertThat(prices.addedExperts(0)).isEqualTo(prices.addedExperts(1));
    }

    @Test
    void decodersBeyondTheLimitOfTheModelComeLast() {
        PoolSnapshot pool = pool(TestPools.decoders(2), 1);
        ledger.view(pool.incarnations());
        run(pool, 0, prompt(1));
        ledger.report(pool.decoder(0).incarnation(), Optional.of(EngineReport.of(256, 1)));
        ledger.report(pool.decoder(1).incarnation(), Optional.of(EngineReport.of(255, 0)));

        assertThat(decide(pool, DecisionRequest.of(prompt(1))).index()).isEqualTo(1);
    }

    @Test
    void withoutAForecastASignatureOrTheRightShapeItIsTheLeastLoaded() {
        PoolSnapshot pool = pool(TestPools.decoders(2), 1);
        ledger.view(pool.incarnations());
        run(pool, 0, prompt(1));

        assertThat(decide(pool.withForecast(Optional.empty()), DecisionRequest.of(prompt(1))))
                .returns(1, Decision.Chosen::index)
                .returns(Reason.NO_ARTIFACT, Decision.Chosen::reason);
        assertThat(decide(pool, DecisionRequest.unknown()))
                .returns(1, Decision.Chosen::index)
                .returns(Reason.NO_SIGNATURE, Decision.Chosen::reason);
        assertThat(decide(pool, DecisionRequest.of(ExpertCounts.zero(LAYERS, EXPERTS))))
                .returns(1, Decision.Chosen::index)
                .returns(Reason.NO_SIGNATURE, Decision.Chosen::reason);
        assertThat(decide(pool, DecisionRequest.of(ExpertCounts.zero(2, 2))))
                .returns(1, Decision.Chosen::index)
                .returns(Reason.INCOMPATIBLE_SIGNATURE, Decision.Chosen::reason);
    }

    @Test
    void whereNothingIsKnownOfDecodersTheLoadDecides() {
        PoolSnapshot pool = pool(TestPools.decoders(3), 1);

        assertThat(((Decision.Chosen)
                                policy.decide(DecisionRequest.of(prompt(1)), pool, LoadView.fixed(2, 1, 3), RANDOM))
                        .index())
                .isEqualTo(1);
    }

    @Test
    void aStarvingDecoderIsServedFirst() {
        PoolSnapshot pool =
                pool(List.of(TestPools.decoder("a", 1), TestPools.decoder("b", 0.2), TestPools.decoder("c", 0.3)), 1);
        LoadView loads = ledger.view(pool.incarnations());
        for (int i = 0; i < 4; i++) {
            run(pool, 0, prompt(1));
        }
        assertThat(decide(pool, DecisionRequest.of(prompt(1))).index()).isZero();
        StarvationWatch watch = new StarvationWatch(StarvationRule.DEFAULT);
        watch.observe(pool, loads, Instant.EPOCH);
        watch.observe(pool, loads, Instant.EPOCH.plusSeconds(6));

        Decision.Chosen relieved =
                (Decision.Chosen) watch.guarding(policy).decide(DecisionRequest.of(prompt(1)), pool, loads, RANDOM);
        assertThat(relieved.index()).isEqualTo(2);
        assertThat(relieved.reason()).isEqualTo(Reason.WIDENED);
        assertThat(relieved.fallbacks()).hasSize(2);
    }

    @Test
    void theSameDelayCostsMoreWhereTheStepIsLong() {
        PoolSnapshot pool = pool(TestPools.decoders(2), 1);
        ledger.view(pool.incarnations());
        for (int expert = 0; expert < EXPERTS - 2; expert++) {
            run(pool, 0, prompt(expert));
            run(pool, 1, prompt(0));
        }

        Decision.Chosen chosen = decide(pool, DecisionRequest.of(prompt(EXPERTS - 1)));

        UnionPrices prices = chosen.evaluation().prices().orElseThrow();
        assertThat(prices.addedExperts(0)).isEqualTo(prices.addedExperts(1));
        double plain = pool.forecast().orElseThrow().model().expertMillis()
                * (prices.activeExperts(0) - prices.activeExperts(1));
        assertThat(prices.millis(0) - prices.millis(1)).isGreaterThan(plain);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ranksDecodersByTheFormulaWrittenDownPlainly(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int size = random.nextInt(1, 9);
        List<Decoder> decoders = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            decoders.add(TestPools.decoder("decoder-" + i, random.nextInt(1, 4)));
        }
        double share = random.nextInt(3) * 0.5;
        PoolSnapshot pool = pool(decoders, share);
        FoldedForecast forecast = pool.forecast().orElseThrow();
        ledger.view(pool.incarnations());
        List<List<PredictedUse>> open = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            open.add(new ArrayList<>());
            for (int r = random.nextInt(12); r > 0; r--) {
                ExpertCounts counts = TestPools.randomCounts(random, LAYERS, EXPERTS);
                if (forecast.predict(counts).isPresent()) {
                    open.get(i).add(run(pool, i, counts).use().orElseThrow());
                }
            }
        }
        ExpertCounts counts = TestPools.randomCounts(random, LAYERS, EXPERTS);
        Optional<UsePrediction> use = forecast.predict(counts);
        if (use.isEmpty()) {
            return;
        }
        double[] prices = IntStream.range(0, size)
                .mapToDouble(i ->
                        plainPrice(open.get(i), use.get()) / decoders.get(i).weight())
                .toArray();
        Decision.Chosen chosen = (Decision.Chosen)
                policy.decide(DecisionRequest.of(counts), pool, ledger.view(pool.incarnations()), random);

        UnionPrices found = chosen.evaluation().prices().orElseThrow();
        for (int i = 0; i < size; i++) {
            assertThat(found.millis(i)).isCloseTo(prices[i], within(1e-4 * prices[i]));
        }
        List<Integer> ranking = new ArrayList<>(List.of(chosen.index()));
        chosen.fallbacks().forEach(fallback -> ranking.add(decoders.indexOf(fallback)));
        assertThat(ranking).isSortedAccordingTo(Comparator.comparingDouble(found::millis));
    }

    private static double plainPrice(List<PredictedUse> open, UsePrediction use) {
        DecoderModel model = new DecoderModel(ModelConstants.scaledToQwen(LAYERS, EXPERTS));
        double added = 0;
        double union = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            double idle = 1;
            for (PredictedUse other : open) {
                idle *= 1 - other.probability(cell);
            }
            added += idle * use.probability(cell);
            union += 1 - idle;
        }
        long context = open.stream().mapToLong(PredictedUse::contextTokens).sum();
        double own = model.requestMillis() + model.kvTokenMillis() * use.contextTokens();
        double step = model.stepMillis(union, open.size(), context);
        double with = step + model.expertMillis() * added + own;
        return Math.sqrt((open.size() + 1) * with * with - open.size() * step * step);
    }
}
