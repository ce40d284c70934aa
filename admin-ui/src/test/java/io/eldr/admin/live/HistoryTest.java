package io.eldr.admin.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.admin.live.LiveState.Health;
import io.eldr.admin.live.LiveState.PoolState;
import io.eldr.admin.live.Overview.PoolHistory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final History history = new History();

    @Test
    void keepsAReadingEveryThreeSecondsForAQuarterOfAnHour() {
        for (int second = 0; second < 2_000; second++) {
            history.add(state(second, pool("demo", false, OptionalDouble.of(second))));
        }

        PoolHistory demo = history.all().getFirst();
        assertThat(demo.at()).hasSize(300).isSorted();
        assertThat(demo.at().getLast()).isEqualTo(START.plusSeconds(1_998).getEpochSecond());
        assertThat(demo.at().getFirst())
                .isEqualTo(START.plusSeconds(1_998 - 299 * 3).getEpochSecond());
        assertThat(demo.tpotP50Ms()).hasSize(300).endsWith(1_998.0);
    }

    @Test
    void whatIsNotKnownIsNull() {
        history.add(state(0, pool("demo", false, OptionalDouble.empty())));

        assertThat(history.all().getFirst().tpotP50Ms()).containsExactly((Double) null);
    }

    @Test
    void whatIsStaleIsNoReadingAndAPoolThatWentIsForgotten() {
        history.add(state(0, pool("demo", false, OptionalDouble.of(1)), pool("other", false, OptionalDouble.of(1))));
        history.add(state(3, pool("demo", true, OptionalDouble.of(2))));

        assertThat(history.all()).extracting(PoolHistory::pool).containsExactly("demo");
        assertThat(history.all().getFirst().tpotP50Ms()).containsExactly(1.0);
    }

    private static LiveState state(int second, PoolState... pools) {
        Health fresh = new Health(false, Optional.of(START), Optional.empty());
        return new LiveState(second, START.plusSeconds(second), 1, fresh, List.of(), List.of(pools));
    }

    private static PoolState pool(String name, boolean stale, OptionalDouble tpot) {
        return new PoolState(
                name,
                new Health(stale, Optional.of(START), Optional.empty()),
                "moe",
                Optional.empty(),
                4,
                8,
                2,
                "eldr",
                0.1,
                1,
                1,
                OptionalInt.of(1),
                false,
                0,
                0,
                Map.of(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                tpot,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                List.of(),
                List.of());
    }
}
