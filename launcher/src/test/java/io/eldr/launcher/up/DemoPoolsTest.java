package io.eldr.launcher.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.eldr.core.signature.Geometry;
import io.eldr.launcher.FakeEldr;
import io.eldr.launcher.client.EldrClient;
import io.eldr.launcher.console.CommandFailedException;
import io.eldr.launcher.console.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoPoolsTest {

    private static final Path TRACES =
            Path.of("..", "data", "own", "small-moe-28M", "calibration").toAbsolutePath();

    private FakeEldr eldr;

    @BeforeEach
    void start() throws IOException {
        eldr = new FakeEldr();
    }

    @AfterEach
    void stop() {
        eldr.close();
    }

    @Test
    void makesTwoPoolsWithTheSameArtifactThatRouteDifferently() throws IOException {
        pools(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));

        List<JsonNode> pools = bodies("POST /v1/pools");
        assertThat(pools).extracting(pool -> pool.get("name").asString()).containsExactly("demo", "demo-jsq");
        assertThat(pools).extracting(pool -> pool.get("policy").asString()).containsExactly("eldr", "jsq");
        assertThat(pools).allSatisfy(pool -> {
            assertThat(pool.get("layers").asInt()).isEqualTo(8);
            assertThat(pool.get("experts").asInt()).isEqualTo(64);
            assertThat(pool.get("topK").asInt()).isEqualTo(4);
            assertThat(pool.get("aliases").get(0)).isEqualTo(pool.get("name"));
        });
        assertWorkers("demo", "decode", "decoder-", 8, 8180);
        assertWorkers("demo-jsq", "decode", "decoder-", 8, 8188);
        assertWorkers("demo", "prefill", "prefiller-", 2, 8196);
        assertWorkers("demo-jsq", "prefill", "prefiller-", 2, 8198);
        assertThat(eldr.calls()).anyMatch(call -> call.toString().equals("POST /v1/pools/demo/samples"));
        assertThat(body("POST /v1/pools/demo/refits")).isEmpty();
        assertThat(eldr.calls())
                .filteredOn(call -> call.toString().equals("POST /v1/pools/demo-jsq/artifacts"))
                .singleElement()
                .returns("the artifact of demo", FakeEldr.Call::text);
        assertThat(body("POST /v1/pools/demo-jsq/activations").get("version").asInt())
                .isOne();
    }

    private void assertWorkers(String pool, String role, String slot, int count, int port) {
        for (int i = 0; i < count; i++) {
            JsonNode worker = body("PUT /v1/pools/" + pool + "/workers/" + slot + i);
            assertThat(worker.get("role").asString()).isEqualTo(role);
            assertThat(worker.get("url").asString()).isEqualTo("http://127.0.0.1:" + (port + i));
            assertThat(worker.get("probe").asString()).isEqualTo("http");
        }
    }

    @Test
    void waitsUntilTheRouterSeesADecoderHealthy() throws IOException {
        pools(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));

        assertThat(eldr.calls())
                .filteredOn(call -> call.toString().equals("GET /v1/pools/demo/decoders"))
                .hasSize(2);
    }

    @Test
    void leavesAPoolAloneThatHasAnArtifact() throws IOException {
        DemoPools pools = pools(eldr.address());
        pools.makeReady(TRACES, new Addresses(new Ports(8080)));
        int calls = eldr.calls().size();

        pools.makeReady(TRACES, new Addresses(new Ports(8080)));

        assertThat(eldr.calls().subList(calls, eldr.calls().size()))
                .allMatch(call -> call.method().equals("GET"));
    }

    @Test
    void waitsForTheRefitThatAnInterruptedStartHasBegun() throws IOException {
        eldr.leave(FakeEldr.Interrupted.OPEN_REFIT);
        pools(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));

        assertThat(eldr.calls()).noneMatch(call -> call.toString().equals("POST /v1/pools/demo/refits"));
        assertThat(eldr.calls()).anyMatch(call -> call.toString().equals("GET /v1/pools/demo/refits/7"));
    }

    @Test
    void isContentWithARefitThatFindsNothingNewWhereAnArtifactIsActive() throws IOException {
        eldr.leave(FakeEldr.Interrupted.REFIT_AT_ITS_END);
        pools(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));

        assertThat(eldr.calls()).anyMatch(call -> call.toString().equals("GET /v1/pools/demo/artifact"));
    }

    @Test
    void givesItsDecodersTheAddressesOfOtherPorts() throws IOException {
        DemoPools pools = pools(eldr.address());
        pools.makeReady(TRACES, new Addresses(new Ports(8080)));
        int calls = eldr.calls().size();

        pools.makeReady(TRACES, new Addresses(new Ports(9080)));

        assertThat(eldr.calls().subList(calls, eldr.calls().size()))
                .filteredOn(call -> call.method().equals("PUT"))
                .hasSize(DemoCluster.WORKERS)
                .allMatch(call -> call.text().contains("http://127.0.0.1:91"));
    }

    @Test
    void saysThatTheRouterDoesNotFollow() throws IOException {
        try (FakeEldr router = new FakeEldr()) {
            assertThatExceptionOfType(CommandFailedException.class)
                    .isThrownBy(() -> new DemoPools(registry(router.address(), Duration.ofSeconds(2)))
                            .makeReady(TRACES, new Addresses(new Ports(8080))))
                    .withMessageContaining("The router does not run artifact version 1");
        }
    }

    @Test
    void whatIsPastedIsQuotedForTheShell() {
        assertThat(Welcome.quote("/home/o'neil/a b")).isEqualTo("'/home/o'\\''neil/a b'");
    }

    @Test
    void whatWasRemovedStaysRemoved() throws IOException {
        pools(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));
        client(eldr.address()).delete("/v1/pools/demo/workers/decoder-3");
        int calls = eldr.calls().size();

        pools(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));

        assertThat(eldr.calls().subList(calls, eldr.calls().size()))
                .allMatch(call -> call.method().equals("GET"));
    }

    @Test
    void enginesThatRunAlreadyTakeTheSlotsOfThoseBefore() {
        registry(eldr.address()).create(engines("http://10.0.0.1:8000", "http://10.0.0.2:8000"));
        new EnginePool(registry(eldr.address())).makeReady(engines("http://10.0.0.1:8000", "http://10.0.0.2:8000"));

        new EnginePool(registry(eldr.address())).makeReady(engines("http://10.0.0.9:8000"));

        assertThat(client(eldr.address()).get("/v1/pools/main/workers").valueStream())
                .singleElement()
                .returns("decoder-0", worker -> worker.path("slot").asString())
                .returns("http://10.0.0.9:8000", worker -> worker.path("url").asString());
    }

    @Test
    void aPoolIsNotTakenOverForAnotherModel() {
        registry(eldr.address()).create(engines("http://10.0.0.1:8000"));
        PoolDeclaration other =
                new PoolDeclaration("main", "other", new Geometry(2, 4, 1), List.of(), "eldr", List.of());

        assertThatExceptionOfType(CommandFailedException.class)
                .isThrownBy(() -> registry(eldr.address()).create(other))
                .withMessageContaining("Pool main exists and is of model served (48x128x8), not other (2x4x1)")
                .withMessageContaining("--pool");
    }

    private static PoolDeclaration engines(String... decoders) {
        List<PoolDeclaration.Worker> workers = new ArrayList<>();
        for (String url : decoders) {
            workers.add(PoolDeclaration.Worker.decode(workers.size(), URI.create(url)));
        }
        return new PoolDeclaration("main", "served", new Geometry(48, 128, 8), List.of(), "eldr", workers);
    }

    private DemoPools pools(URI router) {
        return new DemoPools(registry(router));
    }

    private static EldrClient client(URI service) {
        return new EldrClient(HttpClient.newHttpClient(), JsonMapper.shared(), service, "token");
    }

    private PoolRegistry registry(URI router) {
        return registry(router, Duration.ofMinutes(1));
    }

    private PoolRegistry registry(URI router, Duration patience) {
        PrintStream sink = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return new PoolRegistry(client(eldr.address()), client(router), new Console(sink, sink), patience);
    }

    private List<JsonNode> bodies(String call) {
        return eldr.calls().stream()
                .filter(candidate -> candidate.toString().equals(call))
                .map(found -> JsonMapper.shared().readTree(found.text()))
                .toList();
    }

    private JsonNode body(String call) {
        return bodies(call).getFirst();
    }
}
