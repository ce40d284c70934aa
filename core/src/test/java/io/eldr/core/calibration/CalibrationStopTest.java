package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fit that nobody wants any more ends in whatever stage it is. */
class CalibrationStopTest {
    private final Calibrator calibrator = new Calibrator(Parallel.sequential(), System::nanoTime);

    private void fit(CalibrationListener listener) {
        calibrator.calibrate(Samples.MODEL, Samples.topical(300, 3, 1), CalibrationOptions.automatic(3, 1), listener);
    }

    @ParameterizedTest
    @EnumSource
    void endsWithinTheStageInWhichItsThreadIsInterrupted(CalibrationStage stage) {
        List<CalibrationStage> seen = new ArrayList<>();
        try {
            assertThatThrownBy(() -> fit((reached, fraction) -> {
                        seen.add(reached);
                        if (reached == stage) {
                            Thread.currentThread().interrupt();
                        }
                    }))
                    .isInstanceOf(CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(seen.getLast()).isEqualTo(stage);
        assertThat(seen).containsOnlyOnce(stage);
    }

    @ParameterizedTest
    @EnumSource
    void endsWithWhatItsListenerThrows(CalibrationStage stage) {
        assertThatThrownBy(() -> fit((reached, fraction) -> {
                    if (reached == stage) {
                        throw new CancellationException("enough");
                    }
                }))
                .isInstanceOf(CancellationException.class)
                .hasMessage("enough");
    }

    @Test
    void bindingToSlotsEndsToo() {
        Calibration fitted = calibrator.calibrate(
                Samples.MODEL,
                Samples.topical(60, 3, 1),
                CalibrationOptions.automatic(3, 1),
                CalibrationListener.none());
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> StableSlots.bind(
                            fitted.artifact(),
                            List.of("a", "b", "c"),
                            Optional.of(fitted.artifact()),
                            Samples.topical(60, 3, 2)))
                    .isInstanceOf(CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
