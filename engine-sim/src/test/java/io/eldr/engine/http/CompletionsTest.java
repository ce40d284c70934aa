package io.eldr.engine.http;

import static io.eldr.engine.testing.WorkerClient.completion;
import static io.eldr.engine.testing.WorkerClient.parse;
import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.engine.cluster.Cluster;
import io.eldr.engine.testing.TestCluster;
import io.eldr.engine.testing.WorkerClient;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a worker answers to whom it serves alone. */
@Timeout(240)
class CompletionsTest {
    private static Cluster cluster;
    private static WorkerClient client;

    @BeforeAll
    static void start() {
        cluster = TestCluster.of(0, 2).start();
        client = new WorkerClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void answersInOneBody() throws Exception {
        JsonNode answer = client.complete(cluster.decoder(0), completion("a".repeat(42), 5));

        assertThat(answer.at("/object").asString()).isEqualTo("text_completion");
        assertThat(answer.at("/model").asString()).isEqualTo(TestCluster.MODEL);
        assertThat(answer.at("/choices/0/finish_reason").asString()).isEqualTo("length");
        assertThat(answer.at("/choices/0/text").asString().split(" ")).hasSize(6);
        assertThat(answer.at("/usage").toString())
                .isEqualTo("{\"prompt_tokens\":11,\"total_tokens\":16,\"completion_tokens\":5}");
    }

    @Test
    void streamsOneEventForEachTokenAndThenDone() throws Exception {
        String whole = client.complete(cluster.decoder(0), completion("tell me", 7))
                .at("/choices/0/text")
                .asString();

        List<String> events = client.events(cluster.decoder(0), "/v1/completions", completion("tell me", 7));

        assertThat(events).hasSize(8).endsWith("[DONE]");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 7; i++) {
            JsonNode event = parse(events.get(i));
            text.append(event.at("/choices/0/text").asString());
            assertThat(event.at("/choices/0/finish_reason").isNull()).isEqualTo(i < 6);
            assertThat(event.has("usage")).isFalse();
        }
        assertThat(text).hasToString(whole);
    }

    @Test
    void chatsWithTheRoleFirstAndTheUsageLastWhereAsked() throws Exception {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("model", TestCluster.ADAPTER);
        body.putArray("messages").addObject().put("role", "user").put("content", "hello");
        body.put("max_completion_tokens", 3).putObject("stream_options").put("include_usage", true);

        List<String> events = client.events(cluster.decoder(0), "/v1/chat/completions", body.deepCopy());

        assertThat(events).hasSize(6).endsWith("[DONE]");
        assertThat(parse(events.getFirst()).at("/choices/0/delta/role").asString())
                .isEqualTo("assistant");
        assertThat(parse(events.getFirst()).at("/model").asString()).isEqualTo(TestCluster.ADAPTER);
        assertThat(parse(events.get(1)).at("/usage").isNull()).isTrue();
        assertThat(parse(events.get(3)).at("/choices/0/finish_reason").asString())
                .isEqualTo("length");
        assertThat(parse(events.get(4)).at("/usage/completion_tokens").asInt()).isEqualTo(3);
        assertThat(parse(events.get(4)).at("/choices").isEmpty()).isTrue();
        JsonNode whole = WorkerClient.json(client.post(cluster.decoder(0), "/v1/chat/completions", body));
        assertThat(whole.at("/choices/0/message/content").asString())
                .isEqualTo(parse(events.get(1)).at("/choices/0/delta/content").asString()
                        + parse(events.get(2)).at("/choices/0/delta/content").asString()
                        + parse(events.get(3)).at("/choices/0/delta/content").asString());
    }

    @Test
    void aChatThatNobodyLimitsStopsByItself() throws Exception {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putArray("messages").addObject().put("role", "user").put("content", "hello");

        JsonNode answer = WorkerClient.json(client.post(cluster.decoder(0), "/v1/chat/completions", body));

        assertThat(answer.at("/choices/0/finish_reason").asString()).isEqualTo("stop");
        assertThat(answer.at("/usage/completion_tokens").asInt()).isBetween(32, 159);
    }

    @Test
    void theSameRequestHasTheSameBytesOnEveryWorkerAndInAnyCompany() throws Exception {
        ObjectNode body = completion("the same", 12).put("stream", true);
        String alone = client.post(cluster.decoder(0), "/v1/completions", body).body();

        List<CompletableFuture<HttpResponse<String>>> crowd = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            crowd.add(client.postLater(
                    cluster.decoder(1), "/v1/completions", i % 4 == 0 ? body : completion("other " + i, 30)));
        }

        for (int i = 0; i < crowd.size(); i += 4) {
            assertThat(crowd.get(i).join().body()).isEqualTo(alone);
        }
        assertThat(client.post(cluster.decoder(0), "/v1/completions", completion("another", 12))
                        .body())
                .isNotEqualTo(alone);
    }

    @Test
    void aPromptOfTokenIdsIsTheTextTheyWereMadeOf() throws Exception {
        ObjectNode text = completion("as text or as ids", 4).put("return_token_ids", true);
        JsonNode answer = client.complete(cluster.decoder(0), text);

        ObjectNode ids = completion("", 4);
        ids.set("prompt", answer.at("/choices/0/prompt_token_ids"));

        assertThat(client.complete(cluster.decoder(1), ids).at("/choices/0/text"))
                .isEqualTo(answer.at("/choices/0/text"));
        assertThat(answer.at("/choices/0/token_ids").size()).isEqualTo(4);
    }

    @Test
    void stopsWhereItIsToldTo() throws Exception {
        ObjectNode body = completion("stop early", 50);
        body.putObject("sim").put("stop_after", 2);

        JsonNode answer = client.complete(cluster.decoder(0), body);

        assertThat(answer.at("/choices/0/finish_reason").asString()).isEqualTo("stop");
        assertThat(answer.at("/usage/completion_tokens").asInt()).isEqualTo(2);
    }

    @Test
    void refusesAsVllmDoes() throws Exception {
        assertRefused("not json", 400, "body");
        assertRefused("[1]", 400, "body");
        assertRefused("{\"max_tokens\":3}", 400, "prompt");
        assertRefused("{\"prompt\":[\"a\",\"b\"]}", 400, "prompt");
        assertRefused("{\"prompt\":\"a\",\"n\":2}", 400, "n");
        assertRefused("{\"prompt\":\"a\",\"max_tokens\":0}", 400, "max_tokens");
        assertRefused("{\"prompt\":\"a\",\"max_tokens\":5000}", 400, "max_tokens");
        assertRefused("{\"prompt\":\"" + "long".repeat(5_000) + "\"}", 400, "max_tokens");
        assertRefused("{\"prompt\":\"a\",\"model\":\"none\"}", 404, "model");
        assertRefused("{\"prompt\":\"a\",\"sim\":{\"request\":\"none\"}}", 400, "sim.request");
        assertRefused("{\"prompt\":\"a\",\"sim\":{\"duration_ms\":-1}}", 400, "sim.duration_ms");
    }

    @Test
    void knowsItsPathsAndMethods() throws Exception {
        assertThat(client.get(cluster.decoder(0), "/health").statusCode()).isEqualTo(200);
        assertThat(client.get(cluster.decoder(0), "/none").statusCode()).isEqualTo(404);
        assertThat(client.get(cluster.decoder(0), "/v1/completions").statusCode())
                .isEqualTo(405);
        assertThat(client.post(cluster.decoder(0), "/health", "").statusCode()).isEqualTo(405);
        JsonNode models = WorkerClient.json(client.get(cluster.decoder(0), "/v1/models"));
        assertThat(models.at("/data/0/id").asString()).isEqualTo(TestCluster.MODEL);
        assertThat(models.at("/data/1/id").asString()).isEqualTo(TestCluster.ADAPTER);
    }

    private static void assertRefused(String body, int status, String param) throws Exception {
        HttpResponse<String> answer = client.post(cluster.decoder(0), "/v1/completions", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(parse(answer.body()).at("/error/param").asString()).isEqualTo(param);
        assertThat(parse(answer.body()).at("/error/code").asInt()).isEqualTo(status);
        assertThat(parse(answer.body()).at("/error/message").asString()).isNotBlank();
    }
}
