package io.eldr.router.worker;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static io.eldr.router.testing.TestRouter.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.eldr.core.artifact.ModelIdentity;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.router.pool.Pools;
import io.eldr.router.testing.Fixtures;
import io.eldr.router.testing.SharedRouter;
import io.eldr.router.testing.TestRouter.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What becomes of workers: only READY ones get traffic. */
class WorkersTest {

    @Test
    void aProbedWorkerGetsTrafficOnceItAnswersAndNoneWhenItFails() throws IOException {
        AtomicInteger status = new AtomicInteger(503);
        HttpServer worker = answering(status);
        try {
            REGISTRY.pool("probed");
            REGISTRY.worker("probed", "w", address(worker), "http");
            REGISTRY.worker("probed", "x", "not a url", "http");
            await().until(() -> state("probed", "w").equals("PENDING"));
            await().until(() -> state("probed", "x").equals("PENDING"));
            assertThat(ROUTER.post("/v1/route", body("probed", "p")).status()).isEqualTo(503);
            status.set(200);
            await().until(() -> state("probed", "w").equals("READY"));
            assertThat(ROUTER.post("/v1/route", body("probed", "p", "dryRun", true))
                            .status())
                    .isEqualTo(200);
            status.set(500);
            await().until(() -> state("probed", "w").equals("EJECTED"));
            assertThat(ROUTER.post("/v1/route", body("probed", "p")).status()).isEqualTo(503);
            status.set(200);
            await().until(() -> state("probed", "w").equals("READY"));
        } finally {
            worker.stop(0);
        }
    }

    @Test
    void prefillWorkersAreShownAsThisRouterSeesThem() throws IOException {
        AtomicInteger status = new AtomicInteger(503);
        HttpServer worker = answering(status);
        try {
            REGISTRY.pool("prefilled", new ModelIdentity("tiny-moe", "r2", Fixtures.GEOMETRY));
            REGISTRY.prefiller("prefilled", "p-0", address(worker), "http");
            REGISTRY.prefiller("prefilled", "p-1", "http://127.0.0.1:1/p-1", "none");
            REGISTRY.setWorker("prefilled", "p-1", "max_in_flight", 3);
            await().until(() ->
                    prefiller("prefilled", "p-0").path("state").asString().equals("PENDING"));
            await().until(() ->
                    prefiller("prefilled", "p-1").path("maxInFlight").asInt() == 3);
            assertThat(prefiller("prefilled", "p-1"))
                    .isEqualTo(JsonMapper.shared().readTree("""
                            {"id":"p-1","url":"http://127.0.0.1:1/p-1","state":"READY","eligible":true,
                             "source":"registered","maxInFlight":3,"inFlight":0}"""));
            status.set(200);
            awaitPrefiller("prefilled", "p-0", "READY", true);
            status.set(500);
            awaitPrefiller("prefilled", "p-0", "EJECTED", false);
            REGISTRY.setWorker("prefilled", "p-1", "desired_state", "draining");
            awaitPrefiller("prefilled", "p-1", "DRAINING", false);
            REGISTRY.setWorker("prefilled", "p-0", "revision", "r1");
            awaitPrefiller("prefilled", "p-0", "PENDING", false);
            assertThat(ROUTER.get("/v1/pools/prefilled/decoders").json().path("decoders"))
                    .isEmpty();
            assertThat(ROUTER.get("/v1/pools/no-such-pool/prefillers").status()).isEqualTo(404);
        } finally {
            worker.stop(0);
        }
    }

    @Test
    void aPrefillWorkerThatLeftIsShownUntilItsPromptsHaveEnded() {
        REGISTRY.pool("left");
        REGISTRY.prefiller("left", "p-0", "http://127.0.0.1:1/p-0", "none");
        awaitPrefiller("left", "p-0", "READY", true);
        LoadLedger ledger = ROUTER.bean(LoadLedger.class);
        Incarnation leaving = ROUTER.bean(Pools.class)
                .find("left")
                .orElseThrow()
                .state()
                .prefillers()
                .getFirst()
                .incarnation();
        assertThat(ledger.view(List.of(leaving)).inFlight(0)).isZero();
        LoadLedger.Reserved prompt = (LoadLedger.Reserved) ledger.tryReserve(leaving, 0, OptionalInt.empty());
        assertThat(prefiller("left", "p-0").path("inFlight").asInt()).isEqualTo(1);
        REGISTRY.removeWorker("left", "p-0");
        awaitPrefiller("left", "p-0", "GONE", false);
        prompt.unit().release();
        await().until(() -> ROUTER.get("/v1/pools/left/prefillers")
                .json()
                .path("prefillers")
                .isEmpty());
    }

    @Test
    void aDrainingWorkerKeepsWhatRunsAndGetsNothingNew() {
        SharedRouter.servingPool("drained", 2);
        Answer running = ROUTER.post("/v1/route", body("drained", "r", "candidates", List.of("decoder-0")));
        REGISTRY.setWorker("drained", "decoder-0", "desired_state", "draining");
        await().until(() -> state("drained", "decoder-0").equals("DRAINING"));
        assertThat(decoder("drained", "decoder-0").path("inFlight").asInt()).isEqualTo(1);
        for (int i = 0; i < 10; i++) {
            JsonNode answer = ROUTER.post("/v1/route", body("drained", "d" + i)).json();
            assertThat(answer.at("/decoder/id").asString()).isEqualTo("decoder-1");
            assertThat(answer.path("fallbacks")).isEmpty();
        }
        close(running);
        assertThat(decoder("drained", "decoder-0").path("inFlight").asInt()).isZero();
        REGISTRY.setWorker("drained", "decoder-0", "desired_state", "serving");
        await().until(() -> state("drained", "decoder-0").equals("READY"));
    }

    @Test
    void aWorkerOfAnotherModelRevisionGetsNoTraffic() {
        REGISTRY.pool("revised", new ModelIdentity("tiny-moe", "r2", Fixtures.GEOMETRY));
        REGISTRY.decoders("revised", 3);
        REGISTRY.setWorker("revised", "decoder-0", "revision", "r1");
        REGISTRY.setWorker("revised", "decoder-1", "revision", "r2");
        await().until(() -> state("revised", "decoder-0").equals("PENDING"));
        assertThat(state("revised", "decoder-1")).isEqualTo("READY");
        // What it runs is not known.
        assertThat(state("revised", "decoder-2")).isEqualTo("READY");
        assertThat(ROUTER.post("/v1/route", body("revised", "r", "candidates", List.of("decoder-0")))
                        .status())
                .isEqualTo(503);
        REGISTRY.setWorker("revised", "decoder-0", "revision", "r2");
        await().until(() -> state("revised", "decoder-0").equals("READY"));
    }

    @Test
    void aRemovedWorkerIsGoneAndItsSuccessorStartsWithoutLoad() {
        SharedRouter.servingPool("removed", 2);
        Answer running = ROUTER.post("/v1/route", body("removed", "r", "candidates", List.of("decoder-0")));
        REGISTRY.removeWorker("removed", "decoder-0");
        await().until(() -> state("removed", "decoder-0").equals("GONE"));
        assertThat(ROUTER.post("/v1/route", body("removed", "n", "candidates", List.of("decoder-0")))
                        .status())
                .isEqualTo(503);

        REGISTRY.worker("removed", "decoder-0", "http://127.0.0.1:1/new", "none");
        await().until(() ->
                decoder("removed", "decoder-0").path("state").asString().equals("READY"));
        assertThat(decoder("removed", "decoder-0").path("inFlight").asInt()).isZero();
        close(running);
        assertThat(decoder("removed", "decoder-0").path("inFlight").asInt()).isZero();
        await().until(() ->
                ROUTER.get("/v1/pools/removed/decoders").json().path("decoders").size() == 2);
    }

    @Test
    void anUnknownSlotTakesOverAMissingOneAndOneMoreBorrows() {
        SharedRouter.servingPool("rebound", 2);
        REGISTRY.removeWorker("rebound", "decoder-1");
        REGISTRY.worker("rebound", "pod-b", "http://127.0.0.1:1/b", "none");
        REGISTRY.worker("rebound", "pod-c", "http://127.0.0.1:1/c", "none");
        await().until(() ->
                ROUTER.get("/v1/pools/rebound/decoders").json().path("decoders").size() == 3);
        assertThat(decoder("rebound", "decoder-0").path("cluster").asInt()).isZero();
        assertThat(decoder("rebound", "pod-b").path("cluster").asInt()).isEqualTo(1);
        assertThat(decoder("rebound", "pod-b").path("borrowed").asBoolean()).isFalse();
        assertThat(decoder("rebound", "pod-c").path("borrowed").asBoolean()).isTrue();
    }

    @Test
    void whatItSeesIsReported() {
        SharedRouter.servingPool("seen-workers", 2);
        await().untilAsserted(() -> assertThat(REGISTRY.jdbc()
                        .sql("select slot, uid, url, role from incarnation i join pool p on p.id = i.pool_id"
                                + " where p.name = 'seen-workers' and p.deleted_at is null order by slot")
                        .query()
                        .listOfRows())
                .hasSize(2)
                .allSatisfy(row -> assertThat(row).containsEntry("role", "decode")));
        assertThat(REGISTRY.jdbc()
                        .sql("select count(*) from router_instance where last_seen > now() - interval '1 minute'")
                        .query(Long.class)
                        .single())
                .isPositive();
    }

    @Test
    void aWorkerThatChangesItsRoleIsReportedWithTheNewOne() {
        SharedRouter.servingPool("recast", 2);
        awaitReportedRole("recast", "decoder-1", "decode");
        REGISTRY.setWorker("recast", "decoder-1", "role", "prefill");
        awaitReportedRole("recast", "decoder-1", "prefill");
    }

    private static void awaitReportedRole(String pool, String slot, String role) {
        await().untilAsserted(() -> assertThat(REGISTRY.jdbc()
                        .sql("select i.role from incarnation i join pool p on p.id = i.pool_id"
                                + " where p.name = :pool and p.deleted_at is null and i.slot = :slot")
                        .param("pool", pool)
                        .param("slot", slot)
                        .query()
                        .listOfRows())
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("role", role)));
    }

    private static void close(Answer running) {
        String id = running.json().at("/reservation/id").asString();
        assertThat(ROUTER.post("/v1/reservations/" + id + "/close", Map.of("outcome", "completed"))
                        .status())
                .isEqualTo(204);
    }

    /** A worker that answers its probe with this status. */
    private static HttpServer answering(AtomicInteger status) throws IOException {
        HttpServer worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        worker.createContext("/health", exchange -> {
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        worker.start();
        return worker;
    }

    private static String address(HttpServer worker) {
        return "http://127.0.0.1:" + worker.getAddress().getPort() + "/";
    }

    private static String state(String pool, String slot) {
        return decoder(pool, slot).path("state").asString("");
    }

    private static JsonNode decoder(String pool, String slot) {
        return shown(pool, "decoders", slot);
    }

    private static void awaitPrefiller(String pool, String slot, String state, boolean eligible) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(prefiller(pool, slot).path("state").asString("")).isEqualTo(state);
            assertThat(prefiller(pool, slot).path("eligible").asBoolean()).isEqualTo(eligible);
        });
    }

    private static JsonNode prefiller(String pool, String slot) {
        return shown(pool, "prefillers", slot);
    }

    private static JsonNode shown(String pool, String role, String slot) {
        Answer answer = ROUTER.get("/v1/pools/" + pool + "/" + role);
        for (JsonNode worker : answer.json().path(role)) {
            if (worker.path("id").asString().equals(slot)) {
                return worker;
            }
        }
        return answer.json().path("no such worker");
    }
}
