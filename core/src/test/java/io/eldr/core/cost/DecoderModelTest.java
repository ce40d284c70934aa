package io.eldr.core.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DecoderModelTest {
    private static final Offset<Double> EXACT = within(1e-9);

    private static final DecoderModel QWEN = new DecoderModel(ModelConstants.QWEN3_30B_ON_MI300X);

    /** 60 requests a second, 512 tokens each, on 16 decoders. */
    private static final int BATCH = 51;

    private static final int CONTEXT = 800;

    private static double qwenStep(double union) {
        return QWEN.stepMillis(48 * union, BATCH, (long) BATCH * CONTEXT);
    }

    @Test
    void aStepTakesWhatThePaperMeasuredUnderRoundRobin() {
        assertThat(qwenStep(90)).isCloseTo(26.1, within(0.05));
        assertThat(qwenStep(90) / 26.8 - 1)
                .as("error against the measured 26.8 ms")
                .isBetween(-0.03, 0.0);
    }

    @Test
    void fewerExpertsSaveWhatThePaperMeasured() {
        double change = qwenStep(90 * 0.78) / qwenStep(90) - 1;

        assertThat(change).isCloseTo(-0.160, within(0.0005));
        assertThat(change).as("the measured change, 26.8 to 22.6 ms").isCloseTo(22.6 / 26.8 - 1, within(0.005));
    }

    @Test
    void aLayerTakes4Point7TimesAsLongWithAllExpertsActive() {
        ModelConstants constants = ModelConstants.QWEN3_30B_ON_MI300X;
        double fixed = constants.layerExperts() + 64 * constants.requestExperts();

        assertThat((fixed + 128) / (fixed + 16)).isCloseTo(4.7, within(0.01));
    }

    @Test
    void aStepIsTheSumOfItsPrices() {
        double sum = QWEN.fixedMillis()
                + 4_000 * QWEN.expertMillis()
                + 7 * QWEN.requestMillis()
                + 5_600 * QWEN.kvTokenMillis();

        assertThat(QWEN.stepMillis(4_000, 7, 5_600)).isCloseTo(sum, EXACT);
        assertThat(QWEN.expertMillis()).isCloseTo(0.0044, EXACT);
        assertThat(QWEN.requestMillis()).isCloseTo(48 * 0.06 * 0.0044, EXACT);
        assertThat(QWEN.kvTokenMillis()).isCloseTo(0.000031, EXACT);
        assertThat(QWEN.fixedMillis()).isCloseTo(3 + 48 * 10.4 * 0.0044, EXACT);
    }

    @Test
    void prefillAndHandoffGrowWithThePrompt() {
        assertThat(QWEN.prefillMillis(1_500)).isCloseTo(55, EXACT);
        assertThat(QWEN.prefillMillis(0)).isCloseTo(25, EXACT);
        assertThat(QWEN.handoffMillis(1_000)).isCloseTo(4.8, EXACT);
    }

    @Test
    void ranksPayForTheExchangeOfEachLayer() {
        DecoderModel four = new DecoderModel(ModelConstants.QWEN3_30B_ON_MI300X, 4);

        assertThat(four.stepMillis(1_000, 8, 100) - QWEN.stepMillis(1_000, 8, 100))
                .isCloseTo(48 * 0.030, EXACT);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new DecoderModel(ModelConstants.QWEN3_30B_ON_MI300X, 0));
    }

    static Stream<Arguments> smallModels() {
        return Stream.of(Arguments.of(8, 64), Arguments.of(26, 64), Arguments.of(24, 32), Arguments.of(48, 128));
    }

    @ParameterizedTest(name = "{0} x {1}")
    @MethodSource("smallModels")
    void aSmallModelScaledToQwenTakesQwensTimeAtTheSameShareOfExperts(int layers, int experts) {
        DecoderModel small = new DecoderModel(ModelConstants.scaledToQwen(layers, experts));
        double share = 90.0 / 128;

        assertThat(small.stepMillis(layers * experts * share, BATCH, (long) BATCH * CONTEXT))
                .isCloseTo(qwenStep(90), EXACT);
        assertThat(small.prefillMillis(700)).isCloseTo(QWEN.prefillMillis(700), EXACT);
    }

    @Test
    void anotherModelIsScaledByItsBytes() {
        DecoderModel twice = new DecoderModel(ModelConstants.byBytes(
                "twice as heavy", 48, 128, 2 * ModelConstants.QWEN3_EXPERT_BYTES, 2 * ModelConstants.QWEN3_KV_BYTES));

        assertThat(twice.expertMillis()).isCloseTo(2 * QWEN.expertMillis(), EXACT);
        assertThat(twice.kvTokenMillis()).isCloseTo(2 * QWEN.kvTokenMillis(), EXACT);
        assertThat(twice.constants().kvCapacityTokens()).isEqualTo(550_000);
        assertThat(twice.constants().stepMicros()).isEqualTo(QWEN.constants().stepMicros());
    }

    @Test
    void overheadsAreVariedAlone() {
        ModelConstants half = ModelConstants.QWEN3_30B_ON_MI300X.withAssumptions(0.5, 2, 1);

        assertThat(half.stepMicros()).isEqualTo(1_500);
        assertThat(half.kvTokenMicros()).isCloseTo(0.062, EXACT);
        assertThat(half.expertMicros()).isEqualTo(4.4);
    }

    @Test
    void theMeasuredStepIsTheSameWhereverItsExpertsWereHalfAsMany() {
        DecoderModel half = new DecoderModel(ModelConstants.QWEN3_30B_ON_MI300X.withAssumptions(1, 1, 0.5));

        assertThat(half.expertMillis() * 45 * 48).isCloseTo(QWEN.expertMillis() * 90 * 48, EXACT);
        assertThat(half.stepMillis(16 * 48, 64, 0) - 3)
                .as("whose shape stays: 4.7 times as long with 128 experts as with 16")
                .isCloseTo(2 * (QWEN.stepMillis(16 * 48, 64, 0) - 3), EXACT);
        assertThat(half.stepMillis(0, 0, 100) - half.stepMillis(0, 0, 0)).isCloseTo(100 * QWEN.kvTokenMillis(), EXACT);
    }

    @Test
    void impossibleConstantsAreRefusedByName() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ModelConstants.QWEN3_30B_ON_MI300X.withAssumptions(-1, 1, 1))
                .withMessageContaining("stepMicros");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ModelConstants.QWEN3_30B_ON_MI300X.withAssumptions(1, Double.NaN, 1))
                .withMessageContaining("kvTokenMicros");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ModelConstants.QWEN3_30B_ON_MI300X.withAssumptions(1, 1, 0))
                .withMessageContaining("expertMicros");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ModelConstants.byBytes("none", 0, 8, 1, 1))
                .withMessageContaining("layers");
    }
}
