package io.eldr.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.ArrivalTrace;
import io.eldr.simulator.testing.MadeUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {
    private static final ServedRequests SERVED = MadeUp.served(40, 4, 1);

    @TempDir
    private static Path folder = Path.of("");

    private static Workload poisson(Mix mix, Optional<MixDrift> drift) {
        return Workload.of(SERVED, new Arrivals.Poisson(50, OptionalInt.empty(), 7), mix, drift, 20_000, 3);
    }

    private static Map<String, Double> shares(Workload workload, int from, int to) {
        Map<String, Double> shares = new TreeMap<>();
        IntStream.range(from, to)
                .forEach(i -> shares.merge(
                        workload.served().sample(workload.sample(i)).label(), 1.0 / (to - from), Double::sum));
        return shares;
    }

    @Test
    void poissonArrivalsHaveTheirRateAndTheRecordedPrompts() {
        Workload workload = poisson(new Mix.Recorded(), Optional.empty());

        assertThat(workload.seconds(19_999)).isCloseTo(400, within(12.0));
        assertThat(workload.promptTokens(5)).isEqualTo(MadeUp.PROMPT_TOKENS);
        assertThat(workload.outputTokens(5)).isEqualTo(7);
    }

    @Test
    void theMixSaysHowOftenALabelComes() {
        assertThat(shares(poisson(Mix.parse("uniform"), Optional.empty()), 0, 20_000))
                .allSatisfy((_, share) -> assertThat(share).isCloseTo(0.25, within(0.02)));
        assertThat(shares(poisson(Mix.parse("top2:0.8"), Optional.empty()), 0, 20_000)
                        .get("domain-1"))
                .isCloseTo(0.4, within(0.02));
        assertThat(shares(poisson(Mix.parse("zipf:1"), Optional.empty()), 0, 20_000)
                        .get("domain-0"))
                .isCloseTo(1 / (1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0), within(0.02));
    }

    @Test
    void aMixMayDriftIntoAnother() {
        Workload workload = poisson(Mix.parse("zipf:2"), Optional.of(new MixDrift(Mix.parse("zipf:-2"), 0.4, 0.6)));

        assertThat(shares(workload, 0, 8_000).get("domain-0")).isGreaterThan(0.6);
        assertThat(shares(workload, 12_000, 20_000).get("domain-0")).isLessThan(0.1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "zipf", "zipf:x", "zipf:9", "top2:1.5", "most", "uniform:1"})
    void aMixThatIsNoneIsRefusedByName(String text) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> Mix.parse(text))
                .withMessageStartingWith("mix: ");
    }

    @Test
    void aMixOfOneLabelIsRefused() {
        ServedRequests one = MadeUp.served(10, 1, 1);

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> Workload.of(
                        one,
                        new Arrivals.Poisson(1, OptionalInt.empty(), 1),
                        new Mix.Uniform(),
                        Optional.empty(),
                        10,
                        1))
                .withMessageContaining("have only one: [domain-0]");
    }

    @Test
    void aTraceIsRepeatedAndScaled() throws IOException {
        Path file = folder.resolve("a.jsonl");
        Files.writeString(file, """
                {"timestamp": 0, "input_length": 600, "output_length": 5, "hash_ids": [1, 2]}
                {"timestamp": 1000, "input_length": 700, "output_length": 6, "hash_ids": [1, 3]}
                """);
        Workload workload = Workload.of(
                SERVED,
                new Arrivals.Recorded("a", ArrivalTrace.read(file), OptionalDouble.of(2)),
                new Mix.Recorded(),
                Optional.empty(),
                5,
                1);

        assertThat(IntStream.range(0, 5).mapToDouble(workload::seconds)).containsExactly(0.0, 0.5, 1.0, 1.5, 2.0);
        assertThat(workload.promptTokens(3)).isEqualTo(700);
        assertThat(workload.outputTokens(4)).isEqualTo(5);
        assertThat(workload.blocks(3)).containsExactly(1, 3);
        assertThat(workload.repeat(3)).isEqualTo(1);
    }
}
