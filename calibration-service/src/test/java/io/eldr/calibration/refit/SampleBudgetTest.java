package io.eldr.calibration.refit;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.signature.Geometry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleBudgetTest {
    private static final long MEGABYTE = 1L << 20;

    @ParameterizedTest(name = "{0} x {1}, {2} MB, {3} threads: {4}")
    @CsvSource({
        "48, 128, 512, 1, 3640",
        "48, 128, 512, 2, 1820",
        "48, 128, 2048, 1, 10000",
        "8, 64, 256, 1, 10000",
        "1024, 4096, 64, 1, 1"
    })
    void leavesTwoThirdsOfTheHeapToTheRest(int layers, int experts, long megabytes, int threads, int samples) {
        assertThat(new SampleBudget(10_000, threads, megabytes * MEGABYTE).samples(new Geometry(layers, experts, 4)))
                .isEqualTo(samples);
    }

    @Test
    void saysHowManyOfHowManyAndWhatHelps() {
        assertThat(new SampleBudget(10_000, 1, 512 * MEGABYTE).warning(3_640, 10_000))
                .contains("3640 of 10000")
                .contains("512 MB")
                .contains("more heap");
    }
}
