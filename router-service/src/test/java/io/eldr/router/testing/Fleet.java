package io.eldr.router.testing;

import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.load.LoadLedger;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import io.eldr.router.testing.TestRouter.Answer;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** Four routers on one database, for the test classes that need several; each test uses pools of its own. */
public final class Fleet {

    public static final int SIZE = 4;

    /** What every router of the fleet is told. */
    private static final List<String> SETTINGS = List.of(
            // What these tests do not look at is not started: five routers take long enough.
            "management.server.port=-1",
            "springdoc.api-docs.enabled=false",
            // What engines say counts for three times as long, and routers are missed after the timeout: longer than
            // a busy machine stops them.
            "eldr.router.scrape.interval=1500ms",
            "eldr.router.poll-interval=300ms",
            "eldr.router.replicas.timeout=8s",
            "eldr.router.replicas.forward-timeout=20s");

    public static final TestDatabase DATABASE = TestPostgres.freshDatabase();
    public static final Registry REGISTRY = new Registry(DATABASE, Fleet::awaitGone);
    public static final List<TestRouter> ROUTERS = start();

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Fleet() {}

    /** What a router is told besides: who it is, and where it is reached. */
    public static String[] settings(String id, int port) {
        List<String> all = new ArrayList<>(SETTINGS);
        all.add("eldr.router.instance-id=" + id);
        all.add("eldr.router.url=http://127.0.0.1:" + port);
        return all.toArray(String[]::new);
    }

    private static List<TestRouter> start() {
        List<Integer> ports = FreePorts.of(SIZE);
        List<TestRouter> routers = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            List<String> settings =
                    new ArrayList<>(Arrays.asList(settings("router-" + (char) ('a' + i), ports.get(i))));
            settings.add("server.port=" + ports.get(i));
            routers.add(TestRouter.start(DATABASE.springProperties(), settings.toArray(String[]::new)));
        }
        return routers;
    }

    private static void awaitGone(String pool) {
        for (TestRouter router : ROUTERS) {
            await().atMost(LONGEST)
                    .until(() -> router.get("/v1/pools/" + pool + "/decoders").status() == 404);
        }
    }

    /** Waits until every router knows of so many. */
    public static void awaitRouters(int live) {
        for (TestRouter router : ROUTERS) {
            await().atMost(LONGEST).until(() -> router.bean(LoadLedger.class).routers() == live);
        }
    }

    /** A pool of the fleet, with engines of its own, by JSQ. */
    public static final class ServedPool implements AutoCloseable {
        private final String name;
        private final List<FakeDecoder> engines = new ArrayList<>();

        public ServedPool(String name, int decoders) {
            this.name = name;
            REGISTRY.pool(name);
            REGISTRY.set(name, "policy", "jsq");
            for (String slot : Fixtures.slots(decoders)) {
                FakeDecoder engine = new FakeDecoder();
                engines.add(engine);
                REGISTRY.worker(name, slot, engine.url(), "none");
            }
            awaitRunning(ROUTERS, IntStream.range(0, decoders).map(i -> 0).toArray());
        }

        public String name() {
            return name;
        }

        public List<FakeDecoder> engines() {
            return engines;
        }

        /** What each engine runs. */
        public int[] running() {
            return engines.stream().mapToInt(FakeDecoder::running).toArray();
        }

        /** Waits until these routers were told by the engines, lately, that they run so much. */
        public void awaitRunning(List<? extends RouterCalls> routers, int... running) {
            for (RouterCalls router : routers) {
                await().atMost(LONGEST)
                        .untilAsserted(() -> assertThat(seenBy(router)).containsExactly(running));
            }
        }

        private int[] seenBy(RouterCalls router) {
            List<Integer> seen = new ArrayList<>();
            for (JsonNode decoder :
                    router.get("/v1/pools/" + name + "/decoders").json().path("decoders")) {
                boolean counts = decoder.at("/engine/counts").asBoolean(false);
                seen.add(counts ? decoder.at("/engine/running").asInt(-1) : -1);
            }
            return seen.stream().mapToInt(Integer::intValue).toArray();
        }

        /** Decides through a router and begins to run there. */
        public Running send(RouterCalls router, String requestId, Object... more) {
            Answer answer = router.post("/v1/route", body(name, requestId, more));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            String slot = answer.json().at("/decoder/id").asString();
            int decoder = Integer.parseInt(slot.substring("decoder-".length()));
            engines.get(decoder).begin();
            return new Running(router, answer.json().at("/reservation/id").asString(), decoder, engines.get(decoder));
        }

        @Override
        public void close() {
            REGISTRY.set(name, "deleted_at", Timestamp.from(Instant.now()));
            engines.forEach(FakeDecoder::close);
        }
    }

    /** A request that runs on a decoder. */
    public record Running(RouterCalls router, String reservation, int decoder, FakeDecoder engine) {

        /** It ends, and its proxy says so to the router that it asked. */
        public void complete() {
            complete(router);
        }

        /** It ends, and its proxy says so to some router. */
        public void complete(RouterCalls any) {
            engine.end();
            assertThat(any.delete("/v1/reservations/" + reservation).status()).isEqualTo(204);
        }
    }
}
