package io.eldr.launcher.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoPoolTest {

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
    void makesAPoolThatRoutesByItsFirstArtifact() throws IOException {
        pool(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));

        JsonNode pool = body("POST /v1/pools");
        assertThat(pool.get("name").asString()).isEqualTo("demo");
        assertThat(pool.get("layers").asInt()).isEqualTo(8);
        assertThat(pool.get("experts").asInt()).isEqualTo(64);
        assertThat(pool.get("topK").asInt()).isEqualTo(4);
        for (int i = 0; i < 8; i++) {
            JsonNode decoder = body("PUT /v1/pools/demo/workers/decoder-" + i);
            assertThat(decoder.get("role").asString()).isEqualTo("decode");
            assertThat(decoder.get("url").asString()).isEqualTo("http://127.0.0.1:" + (8180 + i));
            assertThat(decoder.get("probe").asString()).isEqualTo("http");
        }
        assertThat(eldr.calls()).anyMatch(call -> call.toString().equals("POST /v1/pools/demo/samples"));
        assertThat(body("POST /v1/pools/demo/refits")).isEmpty();
    }

    @Test
    void waitsUntilTheRouterSeesADecoderHealthy() throws IOException {
        pool(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));

        assertThat(eldr.calls())
                .filteredOn(call -> call.toString().equals("GET /v1/pools/demo/decoders"))
                .hasSize(2);
    }

    @Test
    void leavesAPoolAloneThatHasAnArtifact() throws IOException {
        DemoPool pool = pool(eldr.address());
        pool.makeReady(TRACES, new Addresses(new Ports(8080)));
        int calls = eldr.calls().size();

        pool.makeReady(TRACES, new Addresses(new Ports(8080)));

        assertThat(eldr.calls().subList(calls, eldr.calls().size()))
                .allMatch(call -> call.method().equals("GET"));
    }

    @Test
    void waitsForTheRefitThatAnInterruptedStartHasBegun() throws IOException {
        eldr.leave(FakeEldr.Interrupted.OPEN_REFIT);
        pool(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));

        assertThat(eldr.calls()).noneMatch(call -> call.toString().equals("POST /v1/pools/demo/refits"));
        assertThat(eldr.calls()).anyMatch(call -> call.toString().equals("GET /v1/pools/demo/refits/7"));
    }

    @Test
    void isContentWithARefitThatFindsNothingNewWhereAnArtifactIsActive() throws IOException {
        eldr.leave(FakeEldr.Interrupted.REFIT_AT_ITS_END);
        pool(eldr.address()).makeReady(TRACES, new Addresses(new Ports(8080)));

        assertThat(eldr.calls()).anyMatch(call -> call.toString().equals("GET /v1/pools/demo/artifact"));
    }

    @Test
    void givesItsDecodersTheAddressesOfOtherPorts() throws IOException {
        DemoPool pool = pool(eldr.address());
        pool.makeReady(TRACES, new Addresses(new Ports(8080)));
        int calls = eldr.calls().size();

        pool.makeReady(TRACES, new Addresses(new Ports(9080)));

        assertThat(eldr.calls().subList(calls, eldr.calls().size()))
                .filteredOn(call -> call.method().equals("PUT"))
                .hasSize(8)
                .allMatch(call -> call.text().contains("http://127.0.0.1:918"));
    }

    @Test
    void saysThatTheRouterDoesNotFollow() throws IOException {
        try (FakeEldr router = new FakeEldr()) {
            assertThatExceptionOfType(CommandFailedException.class)
                    .isThrownBy(() -> pool(router.address()).makeReady(TRACES, new Addresses(new Ports(8080))))
                    .withMessageContaining("The router does not run artifact version 1");
        }
    }

    @Test
    void whatIsPastedIsQuotedForTheShell() {
        assertThat(Welcome.quote("/home/o'neil/a b")).isEqualTo("'/home/o'\\''neil/a b'");
    }

    private DemoPool pool(URI router) {
        PrintStream sink = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        HttpClient http = HttpClient.newHttpClient();
        return new DemoPool(
                new EldrClient(http, JsonMapper.shared(), eldr.address(), "token"),
                new EldrClient(http, JsonMapper.shared(), router, "token"),
                new Console(sink, sink),
                Duration.ofSeconds(2));
    }

    private JsonNode body(String call) {
        return JsonMapper.shared()
                .readTree(eldr.calls().stream()
                        .filter(candidate -> candidate.toString().equals(call))
                        .findFirst()
                        .orElseThrow()
                        .text());
    }
}
