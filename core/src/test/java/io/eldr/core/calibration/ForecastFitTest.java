package io.eldr.core.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.artifact.DecodeForecast;
import io.eldr.core.artifact.PatternNeighbours;
import io.eldr.core.signature.Representation;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.vector.Parallel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ForecastFitTest {
    @Test
    void similarRequestsForetellMoreThanTheFewTokensOfThePrompt() {
        DecodeForecast forecast = forecast(Samples.topical(400, 4, 1)).orElseThrow();

        assertThat(forecast.promptShare()).isLessThan(0.5);
        assertThat(forecast.logLoss())
                .containsOnlyKeys("prompt", "cluster", "prompt+cluster", "neighbours", "prompt+neighbours");
        double least = Collections.min(forecast.logLoss().values());
        assertThat(least).isLessThan(forecast.logLoss().get("prompt"));
        assertThat(forecast.logLoss().get(forecast.name())).isEqualTo(least);
    }

    @Test
    void whereAnswersUseWhatTheirPromptsUseThePromptIsTaken() {
        List<RequestSample> same = Samples.topical(200, 1, 2).stream()
                .map(sample -> withDecodeOf(sample, sample))
                .toList();

        assertThat(forecast(same).orElseThrow().promptShare()).isGreaterThan(0.5);
    }

    @Test
    void whereAnswersHaveNothingToDoWithTheirPromptsThePromptIsLeftOut() {
        List<RequestSample> samples = Samples.topical(200, 4, 3);
        List<RequestSample> answers = new ArrayList<>(samples);
        Collections.shuffle(answers, new Random(3));
        List<RequestSample> unrelated = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            unrelated.add(withDecodeOf(samples.get(i), answers.get(i)));
        }

        assertThat(forecast(unrelated).orElseThrow().promptShare()).isLessThanOrEqualTo(0.1);
    }

    @Test
    void theNeighboursAreFewAndKnowEveryExpert() {
        PatternNeighbours neighbours = fit(Samples.topical(400, 6, 1), CalibrationOptions.automatic(2, 1))
                .flatMap(DecodeForecast::neighbours)
                .orElseThrow();

        assertThat(neighbours.groups()).isEqualTo(60);
        assertThat(neighbours.patterns().layers()).isEqualTo(4);
        for (int group = 0; group < neighbours.groups(); group++) {
            double sum = 0;
            for (int expert = 0; expert < 12; expert++) {
                sum += neighbours.patterns().probability(group, 0, expert);
            }
            assertThat(sum).isBetween(1.99, 2.01);
        }
    }

    @Test
    void withoutDecodeCountsNothingIsForetold() {
        List<RequestSample> samples = Samples.withoutDecode(Samples.topical(200, 2, 1));
        CalibrationOptions options = new CalibrationOptions(
                2, Optional.of(Representation.COUNT), new MaskChoice.All(), 1, PairChoice.DEFAULT, 0.2);

        assertThat(fit(samples, options)).isEmpty();
    }

    private static RequestSample withDecodeOf(RequestSample sample, RequestSample other) {
        return new RequestSample(
                sample.id(),
                sample.label(),
                sample.signatureTokens(),
                sample.prefill(),
                Optional.of(
                        sample.equals(other) ? sample.prefill() : other.decode().orElseThrow()),
                Samples.TOKENS);
    }

    private static Optional<DecodeForecast> forecast(List<RequestSample> samples) {
        return fit(samples, CalibrationOptions.automatic(4, 1));
    }

    private static Optional<DecodeForecast> fit(List<RequestSample> samples, CalibrationOptions options) {
        return new Calibrator(Parallel.sequential(), System::nanoTime)
                .calibrate(Samples.MODEL, samples, options, CalibrationListener.none())
                .artifact()
                .evidence()
                .forecast();
    }
}
