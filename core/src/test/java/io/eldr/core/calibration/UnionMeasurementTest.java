package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.Representation;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.TokenOrigin;
import io.eldr.core.vector.Parallel;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnionMeasurementTest {
    private static final Parallel ONE = Parallel.sequential();
    private static final DecodeTokens DRAWN = DecodeTokens.drawn(Samples.GEOMETRY);

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void batchesOfOneTopicLoadFewerExperts(long seed) {
        CalibrationReport report = fit(Samples.topical(800, 3, seed), seed);
        UnionReduction unions = report.unionReduction().orElseThrow();
        assertThat(unions.token()).isEqualTo(TokenOrigin.DRAWN);
        assertThat(unions.batches()).extracting(UnionReduction.Batch::batch).startsWith(8, 16, 32);
        UnionReduction.Batch eight = unions.batches().getFirst();
        assertThat(eight.groups()).isEqualTo(3);
        assertThat(eight.grouped()).isLessThan(eight.random());
        assertThat(eight.low()).isPositive().isLessThan(eight.reductionPct());
        assertThat(eight.high()).isGreaterThan(eight.reductionPct());
    }

    @Test
    void requestsWithoutTopicsAreNotWorthRouting() {
        CalibrationReport report = fit(Samples.topical(800, 1, 1), 1);
        assertThat(report.verdict().worthEnabling()).contains(false);
        assertThat(report.verdict().reasons())
                .allMatch(reason -> reason.startsWith("locality routing is not worth enabling for this pool: "))
                .anyMatch(reason -> reason.contains("held-out rho is"));
    }

    @Test
    void topicsAreWorthRoutingAndTheReasonsSayWhy() {
        CalibrationReport report = fit(Samples.topical(1_500, 3, 2), 2);
        assertThat(report.verdict().worthEnabling()).contains(true);
        assertThat(report.verdict().reasons())
                .anyMatch(reason -> reason.startsWith("held-out rho is"))
                .anyMatch(reason -> reason.startsWith("batches of 32 requests of one cluster load"));
        assertThat(report.toJson())
                .contains("\"unionReduction\":{\"token\":\"drawn\",\"batches\":[{\"batch\":8,\"groups\":3,\"grouped\":")
                .contains("\"verdict\":{\"worthEnabling\":true,\"reasons\":[\"held-out rho is");
    }

    @Test
    void anUnknownRhoOrTooFewRequestsAreSaidAsUnknown() {
        WorthVerdict few = WorthVerdict.of(new WorthVerdict.HeldOutRho.Known(0.8), Optional.empty());
        assertThat(few.worthEnabling()).isEmpty();
        assertThat(few.reasons()).singleElement().asString().startsWith("not known: held-out requests are too few");
        WorthVerdict low = WorthVerdict.of(new WorthVerdict.HeldOutRho.Known(0.3), Optional.empty());
        assertThat(low.worthEnabling()).contains(false);
        assertThat(low.reasons())
                .containsExactly(
                        "locality routing is not worth enabling for this pool: held-out rho is 0.300, below 0.5");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void theMeanUnionIsThatOfTheFormulaForDrawnTokens(long seed) {
        List<RequestSample> requests = Samples.topical(120, 2, seed);
        BatchUnions unions = BatchUnions.of(Samples.GEOMETRY, requests, DRAWN, seed, ONE);
        double measured = unions.in(Grouping.single(120), 8).mean();
        // Sum over experts of 1 - E[product over a random batch of 8 of (1 - p_r)].
        double expected = 0;
        for (int cell = 0; cell < Samples.GEOMETRY.cells(); cell++) {
            int at = cell;
            double idle = idleInBatchOfEight(requests.stream()
                    .mapToDouble(request -> 1 - request.decode().orElseThrow().cell(at) / (double) Samples.TOKENS)
                    .toArray());
            expected += (1 - idle) / Samples.GEOMETRY.layers();
        }
        assertThat(measured).isCloseTo(expected, within(0.05));
    }

    @Test
    void theIntervalOfAMeanUnionIsAsWideAsTheMeanVariesOverFreshRequests() {
        int repeats = 40;
        double[] means = new double[repeats];
        double widths = 0;
        for (int i = 0; i < repeats; i++) {
            List<RequestSample> requests = narrowAndBroad(96, 1_000 + i);
            BatchUnions unions = BatchUnions.of(Samples.GEOMETRY, requests, DRAWN, i, ONE);
            RequestValues values = unions.in(Grouping.single(96), 8);
            PairedBootstrap.Interval interval = new PairedBootstrap(i, ONE).of(values, values, (mean, same) -> mean);
            means[i] = values.mean();
            widths += (interval.high() - interval.low()) / repeats;
        }
        double mean =
                IntStream.range(0, repeats).mapToDouble(i -> means[i]).average().orElseThrow();
        double deviation = Math.sqrt(IntStream.range(0, repeats)
                        .mapToDouble(i -> (means[i] - mean) * (means[i] - mean))
                        .sum()
                / (repeats - 1));
        assertThat(widths / (2 * 1.96 * deviation)).isBetween(0.7, 1.5);
    }

    /** By the toss of a coin each: one that keeps to few experts, or one that uses all. */
    private static List<RequestSample> narrowAndBroad(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<RequestSample> narrow = Samples.topical(10 * count, 4, seed).stream()
                .filter(request -> request.label().equals("topic-0"))
                .toList();
        List<RequestSample> broad = Samples.topical(count, 1, seed + 500);
        return IntStream.range(0, count)
                .mapToObj(i -> random.nextBoolean() ? narrow.get(i) : broad.get(i))
                .toList();
    }

    /** The mean of the product of 8 distinct values: the elementary symmetric polynomial over the number of choices. */
    private static double idleInBatchOfEight(double[] values) {
        double[] mean = new double[9];
        mean[0] = 1;
        for (int n = 1; n <= values.length; n++) {
            for (int k = Math.min(8, n); k >= 1; k--) {
                double share = (double) k / n;
                mean[k] = (k == n ? 0 : mean[k] * (1 - share)) + mean[k - 1] * share * values[n - 1];
            }
        }
        return mean[8];
    }

    private static CalibrationReport fit(List<RequestSample> samples, long seed) {
        CalibrationOptions options = new CalibrationOptions(
                3, Optional.of(Representation.COUNT), new MaskChoice.All(), seed, PairChoice.DEFAULT, 0.2);
        return new Calibrator(ONE, System::nanoTime)
                .calibrate(Samples.MODEL, samples, options, CalibrationListener.none())
                .report();
    }
}
