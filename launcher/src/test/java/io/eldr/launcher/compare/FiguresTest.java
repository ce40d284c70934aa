package io.eldr.launcher.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a client makes of what it sees. */
class FiguresTest {
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1_000})
    void aTokenTakesTheTimeBetweenFirstAndLastOverTheOthersHoweverBytesCome(int piece) {
        AtomicLong now = new AtomicLong();
        StreamMeter meter = new StreamMeter(now::get);
        for (int token = 0; token < 5; token++) {
            send(meter, "data: {\"text\":\" da\"}\n\n", piece);
            now.addAndGet(20_000_000);
        }
        send(meter, "data: [DONE]\n\n", piece);
        meter.onComplete();

        StreamMeter.Timing timing = meter.getBody().toCompletableFuture().join();
        assertThat(timing.tokens()).isEqualTo(5);
        assertThat(timing.whole()).isTrue();
        assertThat(timing.tpotMillis()).isCloseTo(20, within(1e-9));
    }

    @Test
    void anAnswerWithoutItsEndIsNotWhole() {
        StreamMeter meter = new StreamMeter(() -> 0);
        send(meter, "data: {\"text\":\" da\"}\n\ndata: {\"te", 100);
        meter.onComplete();

        assertThat(meter.getBody().toCompletableFuture().join().whole()).isFalse();
    }

    @Test
    void percentilesAreOfTheWindowAndCountsOfAllTime() {
        Target target = new Target("demo", 8, Duration.ofSeconds(60));
        for (int i = 0; i < 50; i++) {
            target.window().sent();
            target.window().completed(0, 1_000);
        }
        for (int i = 1; i <= 100; i++) {
            target.window().sent();
            target.window().completed(50 * SECOND, i);
        }
        target.window().sent();
        target.window().sent();
        target.window().failed();

        JsonNode report = target.report(100 * SECOND);

        assertThat(report.path("tpotP50Ms").asDouble()).isEqualTo(50);
        assertThat(report.path("tpotP99Ms").asDouble()).isEqualTo(99);
        assertThat(report.path("completed").asLong()).isEqualTo(150);
        assertThat(report.path("failed").asLong()).isOne();
        assertThat(report.path("inFlight").asInt()).isOne();
        assertThat(report.has("batch")).isFalse();
        assertThat(target.report(200 * SECOND).has("tpotP50Ms")).isFalse();
    }

    @Test
    void meansAreOfTheStepsInTheWindowAndBeginAnewWithADecoder() {
        EngineSteps steps = new EngineSteps(Duration.ofSeconds(60), 8);
        steps.add(0, new EngineSteps.Totals(100, 100, 100));
        assertThat(steps.means()).isEmpty();
        steps.add(SECOND, new EngineSteps.Totals(110, 260, 4_100));
        assertThat(steps.means()).contains(new EngineSteps.Means(16, 50));

        steps.add(2 * SECOND, new EngineSteps.Totals(5, 5, 5));
        assertThat(steps.means()).isEmpty();
    }

    private static void send(StreamMeter meter, String text, int piece) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += piece) {
            meter.onNext(List.of(ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at))));
        }
    }
}
