package io.eldr.core.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrefillDecodeCorrelationTest {
    @Test
    void correlatesTheSumsOverAllRequests() {
        // Sums 1 2 3 and 2 2 5: deviations -1 0 1 and -1 -1 2, so 3 / sqrt(2 * 6).
        assertThat(PrefillDecodeCorrelation.pooled(List.of(row(1, 0, 3), row(0, 2, 0)), List.of(row(2, 2, 5))))
                .hasValueCloseTo(3 / Math.sqrt(12), within(1e-12));
    }

    @Test
    void isUndefinedWithoutRequestsOrWhereAllExpertsAreUsedAlike() {
        assertThat(PrefillDecodeCorrelation.pooled(List.of(), List.of())).isEmpty();
        assertThat(PrefillDecodeCorrelation.pooled(List.of(row(1, 1)), List.of(row(1, 2))))
                .isEmpty();
    }

    @Test
    void refusesMixedShapes() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> PrefillDecodeCorrelation.pooled(List.of(row(1, 0)), List.of(row(1, 0, 0))))
                .withMessageContaining("counts");
    }

    private static ExpertCounts row(int... cells) {
        return ExpertCounts.of(1, cells.length, cells);
    }
}
