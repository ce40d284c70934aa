package io.eldr.core.drift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.eldr.core.signature.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObservationWindowTest {
    private static final ObservationWindow WINDOW =
            new ObservationWindow(4, 1, List.of(1L, 2L), List.of(0L, 1L, 2L), 2.5, 1, 3);

    @Test
    void windowsOfSeveralRoutersAddUp() {
        ObservationWindow both =
                WINDOW.plus(new ObservationWindow(2, 0, List.of(2L, 0L), List.of(1L, 0L, 1L), 1, 2, 0));
        assertThat(both).isEqualTo(new ObservationWindow(6, 1, List.of(3L, 2L), List.of(1L, 1L, 3L), 3.5, 3, 3));
        assertThat(both.measured()).isEqualTo(5);
        assertThat(both.meanSimilarity()).isEqualTo(0.7);
        assertThat(ObservationWindow.empty(2, 3).plus(WINDOW)).isEqualTo(WINDOW);
        assertThat(ObservationWindow.empty(2, 3).meanSimilarity()).isZero();
    }

    @Test
    void windowsOfDifferentArtifactsDoNot() {
        assertThatThrownBy(() -> WINDOW.plus(ObservationWindow.empty(3, 3)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("nearest");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "requests,          -1,  0, 1, 0, 1, 0,   0, 0",
        "withoutSignature,   4,  5, 0, 0, 0, 0,   0, 0",
        "nearest,            4,  1, 2, 2, 1, 2.5, 0, 0",
        "nearest,            4,  1, 4,-1, 1, 2.5, 0, 0",
        "similarities,       4,  1, 1, 2, 4, 2.5, 0, 0",
        "similaritySum,      4,  1, 1, 2, 3, 3.5, 0, 0",
        "similaritySum,      4,  1, 1, 2, 3, NaN, 0, 0",
        "spilled,            4,  1, 1, 2, 3, 2.5, 4, 0",
        "singletonBands,     4,  1, 1, 2, 3, 2.5, 0, -1"
    })
    void figuresThatDoNotFitTogetherAreRefusedByName(
            String field,
            long requests,
            long withoutSignature,
            long first,
            long second,
            long similarities,
            double sum,
            long spilled,
            long singletons) {
        assertThatThrownBy(() -> new ObservationWindow(
                        requests,
                        withoutSignature,
                        List.of(first, second),
                        List.of(similarities),
                        sum,
                        spilled,
                        singletons))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(field);
    }
}
