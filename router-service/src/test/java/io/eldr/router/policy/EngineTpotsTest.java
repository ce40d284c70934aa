package io.eldr.router.policy;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.load.Incarnation;
import io.eldr.router.pool.Pool;
import io.eldr.router.pool.Pools;
import io.eldr.router.testing.FakeDecoder;
import io.eldr.router.testing.MovingClock;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.worker.EngineLoad;
import io.eldr.router.worker.EngineSnapshot;
import io.eldr.router.worker.TokenTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Times per output token from what the engines' histograms grew between two readings. */
class EngineTpotsTest {

    private static final String POOL = "told-by-engines";
    private static final int ALREADY_ENDED = 100_000;
    private static Pool pool;
    private static List<Incarnation> decoders;

    private final MovingClock clock = new MovingClock();
    private final Map<Incarnation, EngineSnapshot> engines = new HashMap<>();
    private final List<Told> told = new ArrayList<>();
    private final EngineTpots tpots = new EngineTpots(
            incarnation -> Optional.ofNullable(engines.get(incarnation)),
            (name, from, to, requests, millis) -> told.add(new Told(name, requests, Math.round(millis), from, to)),
            clock,
            clock);

    private record Told(String pool, int requests, long millis, Instant from, Instant to) {}

    @BeforeAll
    static void serve() {
        SharedRouter.servingPool(POOL, 2);
        turns(POOL);
        pool = ROUTER.bean(Pools.class).find(POOL).orElseThrow();
        decoders = pool.state().forDecisions().snapshot().incarnations();
    }

    @Test
    void aReadingIsTheMeanOfTheRequestsThatEndedSinceTheOneBefore() {
        Instant before = clock.instant();
        says(0, 100, 2.0);
        look();
        assertThat(told).as("what was counted before the first reading").isEmpty();
        Instant first = clock.instant();
        clock.advance(Duration.ofSeconds(1));
        says(0, 104, 2.1);
        look();
        look();
        assertThat(told).hasSize(1);
        Told one = told.getFirst();
        assertThat(one.pool()).isEqualTo(POOL);
        assertThat(one.requests()).isEqualTo(4);
        assertThat(one.millis()).isEqualTo(25);
        Duration washout = Duration.ofMinutes(1);
        assertThat(one.from()).isBetween(before.minus(washout).minusSeconds(10), first.minus(washout));
        assertThat(one.to()).isAfterOrEqualTo(first);
    }

    @Test
    void whatFellStartsAnew() {
        says(0, 100, 2.0);
        look();
        says(0, 3, 0.06);
        look();
        assertThat(told).isEmpty();
        says(0, 5, 0.12);
        look();
        assertThat(told).extracting(Told::requests).containsExactly(2);
        assertThat(told).extracting(Told::millis).containsExactly(30L);
    }

    @Test
    void eachIncarnationIsAnEngineOfItsOwn() {
        says(0, 100, 2.0);
        says(1, 500, 10.0);
        look();
        engines.remove(decoders.get(0));
        says(1, 501, 10.05);
        look();
        assertThat(told).extracting(Told::millis).containsExactly(50L);
        says(0, 101, 2.03);
        look();
        assertThat(told).as("it was the same engine all the time").hasSize(2);
    }

    @Test
    void anEngineThatCannotBeReadAndNumbersThatCannotBeTellNothing() {
        look();
        says(0, 100, 2.0);
        look();
        says(0, 100, 2.0);
        look();
        says(0, 105, 2.0);
        look();
        says(0, 1e9, 2e7);
        look();
        assertThat(told).isEmpty();
    }

    @Test
    void poolsWhosePoliciesDoNotTakeTurnsAreNotLookedAt() {
        SharedRouter.servingPool("told-nothing", 1);
        Pool steady = ROUTER.bean(Pools.class).find("told-nothing").orElseThrow();
        Incarnation decoder =
                steady.state().forDecisions().snapshot().incarnations().getFirst();
        for (int i = 0; i < 3; i++) {
            engines.put(decoder, new EngineSnapshot(load(i, i), clock.instant()));
            tpots.look(List.of(steady));
        }
        assertThat(told).isEmpty();
    }

    @Test
    void aRouterReadsThemFromItsEngines() {
        try (FakeDecoder engine = new FakeDecoder()) {
            REGISTRY.pool("scraped-turns");
            REGISTRY.worker("scraped-turns", "decoder-0", engine.url(), "none");
            turns("scraped-turns");
            Switchbacks switchbacks = ROUTER.bean(Switchbacks.class);
            AtomicInteger ended = new AtomicInteger(ALREADY_ENDED);
            await().until(() -> {
                engine.otherSeries(page(ended.incrementAndGet()));
                return switchbacks
                        .trial("scraped-turns")
                        .filter(trial -> trial.heard(TpotSource.ENGINES) > 0)
                        .isPresent();
            });
            assertThat(switchbacks.trial("scraped-turns").orElseThrow().heard(TpotSource.ENGINES))
                    .as("those before the first reading do not count")
                    .isLessThan(ALREADY_ENDED);
        }
    }

    private void says(int decoder, double requests, double seconds) {
        engines.put(decoders.get(decoder), new EngineSnapshot(load(requests, seconds), clock.instant()));
    }

    private static EngineLoad load(double requests, double seconds) {
        return new EngineLoad(
                0,
                0,
                List.of(),
                OptionalDouble.empty(),
                Optional.of(new TokenTimes(seconds, requests, new TreeMap<>())),
                Optional.empty());
    }

    private void look() {
        tpots.look(List.of(pool));
    }

    private static void turns(String name) {
        REGISTRY.jdbc()
                .sql("update pool set switchback_first = 'p2c', switchback_second = 'jsq', switchback_minutes = 1440"
                        + " where name = :name")
                .param("name", name)
                .update();
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        ROUTER.get("/v1/pools/" + name + "/switchback").json().has("current"));
    }

    private static String page(int requests) {
        return """
                vllm:request_time_per_output_token_seconds_count{engine="0"} %d
                vllm:request_time_per_output_token_seconds_sum{engine="0"} %s
                """.formatted(requests, requests * 0.02);
    }
}
