package io.eldr.router.testing;

import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.load.LoadLedger;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import io.eldr.router.testing.TestRouter.Answer;
import io.eldr.service.testing.TestIssuer;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Several routers on a database of their own; each test uses pools of its own.
 *
 * @param <R> how they run
 */
public final class Fleet<R extends RouterCalls> implements AutoCloseable {

    /** Whose tokens they accept besides. */
    public static final TestIssuer ISSUER = TestIssuer.start();

    /** What every router of the fleet is told. */
    private static final List<String> SETTINGS = List.of(
            // What these tests do not look at is not started.
            "springdoc.api-docs.enabled=false",
            // What engines say counts for three times as long, and routers are missed after the timeout: longer than
            // a busy machine stops them.
            "eldr.router.scrape.interval=1500ms",
            "eldr.router.poll-interval=300ms",
            "eldr.router.replicas.timeout=8s",
            "eldr.router.replicas.forward-timeout=20s");

    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final TestDatabase database = TestPostgres.freshDatabase();
    private final Registry registry = new Registry(database, this::awaitGone);
    private final ToIntFunction<R> routersSeenBy;
    private List<R> routers = List.of();

    /** @param routersSeenBy how many routers live, as one of them sees it */
    private Fleet(ToIntFunction<R> routersSeenBy) {
        this.routersSeenBy = routersSeenBy;
    }

    /** Routers in this JVM, into which a test can look. */
    public static Fleet<TestRouter> ofContexts(int size) {
        Fleet<TestRouter> fleet =
                new Fleet<>(router -> router.bean(LoadLedger.class).routers());
        List<Integer> ports = FreePorts.of(size);
        fleet.routers = IntStream.range(0, size)
                .mapToObj(i -> {
                    int port = ports.get(i);
                    List<String> settings = new ArrayList<>(List.of(settings(id(i), port)));
                    settings.add("server.port=" + port);
                    settings.add("management.server.port=-1");
                    return TestRouter.start(fleet.database.springProperties(), settings.toArray(String[]::new));
                })
                .toList();
        fleet.awaitRouters(size);
        return fleet;
    }

    /** Routers in processes of their own. */
    public static Fleet<RouterProcess> ofProcesses(int size) {
        Fleet<RouterProcess> fleet = new Fleet<>(
                router -> (int) router.metric("eldr_router_replicas").orElse(0));
        List<Integer> ports = FreePorts.of(size);
        List<CompletableFuture<RouterProcess>> starting = IntStream.range(0, size)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> fleet.start(id(i), ports.get(i))))
                .toList();
        fleet.routers = starting.stream().map(CompletableFuture::join).toList();
        fleet.awaitRouters(size);
        return fleet;
    }

    /** Another router of the fleet, in a process of its own, which is not among {@link #routers}. */
    public RouterProcess start(String id) {
        return start(id, FreePorts.of(1).getFirst());
    }

    private RouterProcess start(String id, int port) {
        return RouterProcess.start(port, database.springProperties(), settings(id, port));
    }

    /** Those that it began with. */
    public List<R> routers() {
        return routers;
    }

    public Registry registry() {
        return registry;
    }

    @Override
    public void close() {
        routers.forEach(RouterCalls::close);
        database.close();
    }

    /** {@code router-a}, {@code router-b} and so on. */
    private static String id(int number) {
        return "router-" + (char) ('a' + number);
    }

    /** What a router is told besides: who it is, and where it is reached. */
    private static String[] settings(String id, int port) {
        List<String> all = new ArrayList<>(SETTINGS);
        all.addAll(ISSUER.properties());
        all.add("eldr.router.instance-id=" + id);
        all.add("eldr.router.url=http://127.0.0.1:" + port);
        return all.toArray(String[]::new);
    }

    private void awaitGone(String pool) {
        for (R router : routers) {
            await().atMost(LONGEST)
                    .until(() -> router.get("/v1/pools/" + pool + "/decoders").status() == 404);
        }
    }

    /** Waits until every router knows of so many. */
    public void awaitRouters(int live) {
        for (R router : routers) {
            await().atMost(LONGEST).until(() -> routersSeenBy.applyAsInt(router) == live);
        }
    }

    /** A pool of the fleet, with engines of its own, by JSQ. */
    public ServedPool pool(String name, int decoders) {
        return new ServedPool(this, name, decoders);
    }

    /** A pool with its engines. */
    public static final class ServedPool implements AutoCloseable {
        private final Registry registry;
        private final String name;
        private final List<FakeDecoder> engines = new ArrayList<>();

        private ServedPool(Fleet<?> fleet, String name, int decoders) {
            this.registry = fleet.registry;
            this.name = name;
            registry.pool(name);
            registry.set(name, "policy", "jsq");
            for (String slot : Fixtures.slots(decoders)) {
                FakeDecoder engine = new FakeDecoder();
                engines.add(engine);
                registry.worker(name, slot, engine.url(), "none");
            }
            awaitRunning(fleet.routers, IntStream.range(0, decoders).map(i -> 0).toArray());
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
            registry.set(name, "deleted_at", Timestamp.from(Instant.now()));
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
