package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LabelSharesTest {
    private static final ExpertCounts COUNTS = ExpertCounts.of(1, 2, new int[] {1, 0});

    @Test
    void sharesAreAmongTheSamplesThatHaveALabel() {
        assertThat(LabelShares.of(List.of(sample("a"), sample(""), sample("b"), sample("a"), sample("a"))))
                .isEqualTo(Map.of("a", 0.75, "b", 0.25));
        assertThat(LabelShares.of(List.of(sample(""), sample("")))).isEmpty();
    }

    @Test
    void onlyTheMostFrequentLabelsAreKept() {
        List<RequestSample> samples = new ArrayList<>();
        for (int i = 0; i < LabelShares.MAX_LABELS + 50; i++) {
            samples.add(sample("user-" + i));
        }
        samples.add(sample("user-300"));
        Map<String, Double> shares = LabelShares.of(samples);
        assertThat(shares).hasSize(LabelShares.MAX_LABELS).containsKey("user-300");
        assertThat(shares.get("user-300")).isCloseTo(2.0 / samples.size(), within(1e-12));
    }

    @Test
    void anArtifactCarriesThoseOfItsFit() {
        List<RequestSample> samples = Samples.topical(200, 3, 1);
        Map<String, Double> shares = new Calibrator(Parallel.sequential(), System::nanoTime)
                .calibrate(Samples.MODEL, samples, CalibrationOptions.automatic(3, 1), CalibrationListener.none())
                .artifact()
                .evidence()
                .labelShares();
        assertThat(shares).containsOnlyKeys("topic-0", "topic-1", "topic-2");
        assertThat(shares.values().stream().mapToDouble(d -> d).sum()).isCloseTo(1, within(1e-9));
    }

    private static RequestSample sample(String label) {
        return new RequestSample("r", label, 1, COUNTS, Optional.empty(), 0);
    }
}
