package io.eldr.router.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleQueueTest {

    @ParameterizedTest(name = "rate {0}")
    @ValueSource(doubles = {0, 0.01, 0.1, 0.5, 1})
    void theShareOfRequestsIsTheRateHoweverTheyAreNamed(double rate) {
        for (String prefix : new String[] {"", "chatcmpl-", "00000000-0000-0000-0000-"}) {
            long among = IntStream.range(0, 100_000)
                    .filter(i -> SampleQueue.isAmong(rate, prefix + i))
                    .count();
            // Five standard deviations.
            assertThat(among / 100_000.0).isBetween(rate - 0.008, rate + 0.008);
        }
    }

    @Test
    void atRateOneEveryRequestIsOneAndAtZeroNone() {
        assertThat(IntStream.range(0, 10_000)).allMatch(i -> SampleQueue.isAmong(1, "r" + i));
        assertThat(IntStream.range(0, 10_000)).noneMatch(i -> SampleQueue.isAmong(0, "r" + i));
    }

    @Test
    void whatFindsNoRoomIsDroppedAndCounted() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        SharedRouter.servingPool("queued", 1);
        Pool pool = SharedRouter.ROUTER.bean(Pools.class).find("queued").orElseThrow();
        SampleQueue queue = new SampleQueue(true, 2, new SampleMeters(registry));
        for (int i = 0; i < 5; i++) {
            queue.offer(new LiveSample(pool, "r" + i, Optional.empty(), Fixtures.wholeCounts(i, 3), Optional.empty()));
        }
        assertThat(queue.take(10)).extracting(waiting -> waiting.sample().id()).containsExactly("r0", "r1");
        assertThat(registry.get("eldr.router.samples")
                        .tag("result", "dropped")
                        .counter()
                        .count())
                .isEqualTo(3);
    }
}
