package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleSplitTest {
    @ParameterizedTest(name = "hold-out {0}, {1} samples, seed {2}")
    @CsvSource({"0.2, 1000, 1", "0.2, 213, 2", "0.1, 57, 3", "0.4, 100, 4", "0.33, 200, 5", "0.2, 5, 6"})
    void everySampleIsInExactlyOnePart(double holdOut, int count, long seed) {
        List<RequestSample> samples = Samples.topical(count, 3, seed);
        SampleSplit split = SampleSplit.stratified(samples, holdOut, seed);
        List<RequestSample> all = new ArrayList<>(split.fit());
        all.addAll(split.select());
        all.addAll(split.test());
        assertThat(all).containsExactlyInAnyOrderElementsOf(samples);
        assertThat(split.test().size()).isCloseTo((int) Math.round(holdOut * count), within(1));
        assertThat(split.select().size()).isCloseTo((int) Math.round(holdOut * count), within(1));
    }

    @Test
    void everyLabelIsInEveryPartInProportion() {
        List<RequestSample> samples = Samples.topical(900, 3, 7);
        SampleSplit split = SampleSplit.stratified(samples, 0.2, 7);
        for (String label : Set.of("topic-0", "topic-1", "topic-2")) {
            long all = count(samples, label);
            assertThat(count(split.test(), label)).isBetween(all / 5 - 1, all / 5 + 1);
            assertThat(count(split.select(), label)).isBetween(all / 5 - 1, all / 5 + 1);
        }
    }

    @Test
    void withNothingHeldOutTheFittedSamplesChooseToo() {
        List<RequestSample> samples = Samples.topical(20, 2, 1);
        SampleSplit split = SampleSplit.stratified(samples, 0, 1);
        assertThat(split.fit()).isEqualTo(samples);
        assertThat(split.select()).isEqualTo(samples);
        assertThat(split.test()).isEmpty();
    }

    @Test
    void theSeedDecidesAndNothingElse() {
        List<RequestSample> samples = Samples.topical(100, 2, 1);
        assertThat(SampleSplit.stratified(samples, 0.2, 5)).isEqualTo(SampleSplit.stratified(samples, 0.2, 5));
        Set<SampleSplit> different = new HashSet<>();
        for (long seed = 0; seed < 5; seed++) {
            different.add(SampleSplit.stratified(samples, 0.2, seed));
        }
        assertThat(different).hasSize(5);
    }

    private static long count(List<RequestSample> samples, String label) {
        return samples.stream().filter(sample -> sample.label().equals(label)).count();
    }

    private static org.assertj.core.data.Offset<Integer> within(int offset) {
        return org.assertj.core.data.Offset.offset(offset);
    }
}
