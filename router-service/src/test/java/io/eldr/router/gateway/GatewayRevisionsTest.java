package io.eldr.router.gateway;

import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.router.testing.FakeEngine;
import io.eldr.router.testing.FakeEngine.Seen;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** While a pool is upgraded its workers are of two model revisions, and no request is served by both. */
class GatewayRevisionsTest {
    private static final String PREFILLED = """
        {"id":"x","choices":[{"index":0,"text":" a","finish_reason":"length"}],
         "usage":{"prompt_tokens":10},"kv_transfer_params":{"remote_engine_id":"5a0f"}}""";

    private final FakeEngine oldPrefill = new FakeEngine(seen -> FakeEngine.json(200, PREFILLED));
    private final FakeEngine newPrefill = new FakeEngine(seen -> FakeEngine.json(200, PREFILLED));
    private final FakeEngine oldDecode = new FakeEngine(seen -> FakeEngine.tokens(2, Duration.ZERO));
    private final FakeEngine newDecode = new FakeEngine(seen -> FakeEngine.tokens(2, Duration.ZERO));
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        client.shutdownNow();
        for (FakeEngine engine : new FakeEngine[] {oldPrefill, newPrefill, oldDecode, newDecode}) {
            engine.close();
        }
    }

    @Test
    void prefillAndDecodeWorkerAreOfOneRevision() throws Exception {
        serve("of-two-revisions");
        Map<Integer, Integer> answers = new HashMap<>();
        for (int i = 0; i < 60; i++) {
            answers.merge(complete("of-two-revisions", i).statusCode(), 1, Integer::sum);
        }
        assertThat(answers).isEqualTo(Map.of(200, 60));
        assertThat(ids(oldPrefill)).isNotEmpty().isEqualTo(ids(oldDecode));
        assertThat(ids(newPrefill)).isNotEmpty().isEqualTo(ids(newDecode));
    }

    @Test
    void aPrefillWorkerGetsNoPromptThatNoDecodeWorkerCouldTakeOver() throws Exception {
        String pool = "of-one-decoder";
        serve(pool);
        REGISTRY.setWorker(pool, "decoder-1", "desired_state", "draining");
        await().until(() -> ready(pool) == 1);
        for (int i = 0; i < 20; i++) {
            assertThat(complete(pool, i).statusCode()).isEqualTo(200);
        }
        assertThat(ids(oldPrefill)).hasSize(20).isEqualTo(ids(oldDecode));
        assertThat(newPrefill.seen).isEmpty();

        // One that does not say what it runs fits both.
        REGISTRY.worker(pool, "decoder-2", newDecode.url(), "none");
        await().until(() -> ready(pool) == 2);
        for (int i = 0; i < 60; i++) {
            assertThat(complete(pool, i).statusCode()).isEqualTo(200);
        }
        assertThat(ids(newPrefill)).isNotEmpty();
        assertThat(ids(newDecode)).containsAll(ids(newPrefill));
    }

    @Test
    void aRequestIsRefusedRatherThanDecodedByAnotherRevision() throws Exception {
        String pool = "of-no-decoder";
        serve(pool);
        REGISTRY.removeWorker(pool, "prefill-0");
        REGISTRY.removeWorker(pool, "decoder-1");
        await().until(() -> ready(pool) == 1);
        HttpResponse<String> answer = complete(pool, 1);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("model revision");
        assertThat(oldDecode.seen).isEmpty();
    }

    private void serve(String pool) {
        REGISTRY.pool(pool);
        REGISTRY.worker(pool, "prefill-0", "prefill", oldPrefill.url(), "none", "2507");
        REGISTRY.worker(pool, "prefill-1", "prefill", newPrefill.url(), "none", "2511");
        REGISTRY.worker(pool, "decoder-0", "decode", oldDecode.url(), "none", "2507");
        REGISTRY.worker(pool, "decoder-1", "decode", newDecode.url(), "none", "2511");
        await().until(() -> ROUTER.get("/v1/pools/" + pool + "/decoders").status() == 200 && ready(pool) == 2);
    }

    private static int ready(String pool) {
        int ready = 0;
        for (var decoder : ROUTER.get("/v1/pools/" + pool + "/decoders").json().path("decoders")) {
            ready += decoder.path("state").asString().equals("READY") ? 1 : 0;
        }
        return ready;
    }

    private static Set<String> ids(FakeEngine engine) {
        Set<String> ids = new HashSet<>();
        for (Seen request : engine.seen) {
            ids.add(request.headers().get("X-Request-Id"));
        }
        return ids;
    }

    private HttpResponse<String> complete(String pool, int prompt) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ROUTER.port() + "/v1/completions"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"model\":\"" + pool + "\",\"prompt\":\"p" + prompt + "\",\"stream\":true}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
