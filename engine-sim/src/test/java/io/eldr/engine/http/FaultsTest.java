package io.eldr.engine.http;

import static io.eldr.engine.testing.WorkerClient.completion;
import static io.eldr.engine.testing.WorkerClient.lasting;
import static io.eldr.engine.testing.WorkerClient.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.eldr.engine.cluster.Cluster;
import io.eldr.engine.cluster.SimulatedWorker;
import io.eldr.engine.testing.TestCluster;
import io.eldr.engine.testing.WorkerClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Workers that go wrong on purpose. */
@Timeout(240)
class FaultsTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private Cluster cluster;
    private WorkerClient client;

    @BeforeEach
    void start() {
        cluster = TestCluster.of(0, 1).start();
        client = new WorkerClient();
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void answersTheNextRequestsWithAnError() throws Exception {
        client.order(worker(), "{\"fault\":\"status\",\"status\":500,\"requests\":1}");
        client.order(worker(), "{\"fault\":\"status\",\"status\":400,\"requests\":1}");

        assertThat(status()).isEqualTo(500);
        assertThat(status()).isEqualTo(400);
        assertThat(status()).isEqualTo(200);
    }

    @Test
    void goesWrongUntilItIsCleared() throws Exception {
        client.order(worker(), "{\"fault\":\"status\"}");
        assertThat(status()).isEqualTo(500);
        assertThat(status()).isEqualTo(500);

        client.order(worker(), "{\"fault\":\"clear\"}");

        assertThat(status()).isEqualTo(200);
    }

    @Test
    void neverAnswersARequestThatHangs() throws Exception {
        client.order(worker(), "{\"fault\":\"hang\",\"requests\":1}");

        // Whichever of them comes first.
        List<CompletableFuture<HttpResponse<String>>> two = List.of(
                client.postLater(worker(), "/v1/completions", completion("hang", 2)),
                client.postLater(worker(), "/v1/completions", completion("hang", 2)));

        await().until(() -> two.stream().anyMatch(CompletableFuture::isDone));
        assertThat(status()).as("those behind it are answered").isEqualTo(200);
        assertThat(two)
                .filteredOn(CompletableFuture::isDone)
                .singleElement()
                .satisfies(answered -> assertThat(answered.join().statusCode()).isEqualTo(200));
    }

    @Test
    void resetsTheConnectionInTheMidstOfAStream() throws Exception {
        client.order(worker(), "{\"fault\":\"reset\",\"afterTokens\":2,\"requests\":1}");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> client.events(worker(), "/v1/completions", completion("cut", 5)));
        assertThat(client.events(worker(), "/v1/completions", completion("cut", 5)))
                .hasSize(6);
        await().until(() -> worker().gauges().running() == 0);
    }

    @Test
    void refusesConnectionsForAWhileAndKeepsThoseThatAreOpen() throws Exception {
        CompletableFuture<HttpResponse<String>> open =
                client.postLater(worker(), "/v1/completions", lasting("open", LONG));
        await().until(() -> worker().gauges().running() == 1);

        client.order(worker(), "{\"fault\":\"refuse\",\"forMillis\":2000}");

        // Looks often, so that a machine that stops for a moment does not miss it.
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(accepts()).isFalse());
        await().untilAsserted(() -> assertThat(accepts()).isTrue());
        worker().finishHeld();
        assertThat(open.join().body()).endsWith("[DONE]\n\n");
        assertThat(worker().incarnation()).isOne();
    }

    @Test
    void crashesAndComesBackAsAnotherIncarnationThatTakesItsTime() throws Exception {
        CompletableFuture<HttpResponse<String>> lost =
                client.postLater(worker(), "/v1/completions", lasting("lost", LONG));
        await().until(() -> worker().gauges().running() == 1);
        int port = worker().url().getPort();

        client.order(worker(), "{\"fault\":\"crash\",\"forMillis\":100,\"slowStartMillis\":600000}");

        assertThat(lost).failsWithin(Duration.ofSeconds(60)).withThrowableThat().withCauseInstanceOf(IOException.class);
        await().until(() -> worker().incarnation() == 2);
        assertThat(worker().url().getPort()).isEqualTo(port);
        assertThat(worker().gauges().running()).isZero();
        await().ignoreExceptions().until(() -> health() == 503);
        assertThat(status()).isEqualTo(503);

        client.order(worker(), "{\"fault\":\"crash\",\"forMillis\":0,\"slowStartMillis\":200}");

        await().until(() -> worker().incarnation() == 3);
        await().ignoreExceptions().until(() -> health() == 200);
        assertThat(status()).isEqualTo(200);
        assertThat(parse(client.get(worker(), "/sim/state").body())
                        .at("/incarnation")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void closesIdleConnectionsAsSoonAsItIsTold() throws Exception {
        client.order(worker(), "{\"fault\":\"keepAlive\",\"millis\":100}");

        await().ignoreExceptions().untilAsserted(() -> {
            try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), worker().url().getPort())) {
                socket.setSoTimeout(2_000);
                socket.getOutputStream()
                        .write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                InputStream in = socket.getInputStream();
                assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 200");
            }
        });
    }

    @Test
    void aPrefillWorkersAnswerLacksWhatItIsToldTo() throws Exception {
        ObjectNode body = completion("prefill", 1);
        body.putObject("kv_transfer_params").put("do_remote_decode", true);
        client.order(worker(), "{\"fault\":\"noParams\",\"requests\":1}");
        client.order(worker(), "{\"fault\":\"noSignature\",\"requests\":1}");
        client.order(worker(), "{\"fault\":\"brokenSignature\",\"requests\":1}");

        JsonNode noParams = client.complete(worker(), body);
        JsonNode noSignature = client.complete(worker(), body);
        JsonNode broken = client.complete(worker(), body);

        assertThat(noParams.at("/kv_transfer_params").isNull()).isTrue();
        assertThat(noSignature.at("/kv_transfer_params/remote_engine_id").asString())
                .isNotEmpty();
        assertThat(noSignature.at("/kv_transfer_params").has("eldr_sig")).isFalse();
        assertThat(broken.at("/kv_transfer_params/eldr_sig").asString()).contains("!");
    }

    @Test
    void refusesOrdersItDoesNotKnow() throws Exception {
        assertOrderRefused("{\"fault\":\"burn\"}", "fault");
        assertOrderRefused("{}", "fault");
        assertOrderRefused("{", "body");
        assertOrderRefused("{\"fault\":\"status\",\"status\":200}", "status");
        assertOrderRefused("{\"fault\":\"crash\",\"forMillis\":-1}", "forMillis");
        assertOrderRefused("{\"fault\":\"hang\",\"requests\":0}", "requests");
    }

    private void assertOrderRefused(String order, String param) throws Exception {
        HttpResponse<String> answer = client.post(worker(), "/sim/faults", order);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(parse(answer.body()).at("/error/param").asString()).isEqualTo(param);
    }

    private SimulatedWorker worker() {
        return cluster.decoder(0);
    }

    private int status() throws Exception {
        return client.post(worker(), "/v1/completions", completion("how are you", 2))
                .statusCode();
    }

    private int health() throws Exception {
        return client.get(worker(), "/health").statusCode();
    }

    private boolean accepts() throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), worker().url().getPort())) {
            return socket.isConnected();
        } catch (ConnectException e) {
            return false;
        }
    }
}
