package io.eldr.engine.http;

import static io.eldr.engine.testing.WorkerClient.completion;
import static io.eldr.engine.testing.WorkerClient.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.signature.EldrForm;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.engine.cluster.Cluster;
import io.eldr.engine.recording.RecordedRequest;
import io.eldr.engine.testing.TestCluster;
import io.eldr.engine.testing.WorkerClient;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Prefill on one worker, decode on another. */
@Timeout(240)
class HandoffTest {
    private static final String PROMPT = "Where should this be decoded? ".repeat(20);

    private Cluster cluster;
    private WorkerClient client;

    @BeforeEach
    void start() {
        cluster = TestCluster.of(1, 2).start();
        client = new WorkerClient();
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void theDecoderWritesWhatOneWorkerAloneWouldWrite() throws Exception {
        String alone =
                client.post(cluster.decoder(0), "/v1/completions", streamed()).body();

        JsonNode prefilled = prefill();
        assertThat(cluster.prefiller(0).gauges().pinned()).isOne();
        String decoded = decode(prefilled).body();

        assertThat(decoded).isEqualTo(alone);
        assertThat(prefilled.at("/choices/0/finish_reason").asString()).isEqualTo("length");
        assertThat(prefilled.at("/usage/completion_tokens").asInt()).isOne();
        JsonNode params = prefilled.at("/kv_transfer_params");
        assertThat(params.at("/do_remote_prefill").asBoolean()).isTrue();
        assertThat(params.at("/do_remote_decode").asBoolean()).isFalse();
        assertThat(params.at("/remote_block_ids/0").size()).isEqualTo(Math.ceilDiv(150, 16));
        assertThat(params.at("/remote_num_tokens").asInt()).isEqualTo(150);
        assertThat(cluster.prefiller(0).gauges().pinned()).isZero();
        assertThat(cluster.prefiller(0).gauges().kvUse()).isZero();
    }

    @Test
    void paramsThatWereUsedGiveAnotherText() throws Exception {
        JsonNode prefilled = prefill();
        HttpResponse<String> first = decode(prefilled);

        HttpResponse<String> second = decode(prefilled);

        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.body()).isNotEqualTo(first.body());
        assertThat(WorkerClient.events(second.body())).hasSameSizeAs(WorkerClient.events(first.body()));
    }

    @Test
    void paramsWhoseLeaseIsOverGiveAnotherTextAndAreCounted() throws Exception {
        String alone =
                client.post(cluster.decoder(0), "/v1/completions", streamed()).body();
        JsonNode prefilled = prefill();

        client.order(cluster.prefiller(0), "{\"fault\":\"expire\"}");

        assertThat(cluster.prefiller(0).gauges().pinned()).isZero();
        assertThat(decode(prefilled).body()).isNotEqualTo(alone);
        assertThat(client.get(cluster.prefiller(0), "/metrics").body())
                .containsPattern("vllm:nixl_num_kv_expired_reqs_total\\{.*} 1\\.0");
    }

    @Test
    void blocksThatNobodyPullsAreFreedWhenTheLeaseIsOver() throws Exception {
        try (Cluster brief =
                TestCluster.of(1, 0).withLease(Duration.ofMillis(50)).start()) {
            client.complete(brief.prefiller(0), producing(completion(PROMPT, 1)));

            await().until(() -> brief.prefiller(0).gauges().pinned() == 0);
        }
    }

    @Test
    void aWorkerThatIsGoneFailsTheRequest() throws Exception {
        JsonNode prefilled = prefill();
        client.order(cluster.prefiller(0), "{\"fault\":\"crash\",\"forMillis\":0}");
        await().until(() -> cluster.prefiller(0).incarnation() == 2);

        HttpResponse<String> answer = decode(prefilled);

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(parse(answer.body()).at("/error/type").asString()).isEqualTo("InternalServerError");
        assertThat(client.get(cluster.decoder(1), "/metrics").body())
                .containsPattern("vllm:nixl_num_failed_transfers_total\\{.*} 1\\.0");
    }

    @Test
    void blocksAreFreedOnRequest() throws Exception {
        JsonNode params = prefill().at("/kv_transfer_params");

        HttpResponse<String> answer = client.post(cluster.decoder(0), "/v1/kv_transfer/release", (ObjectNode) params);

        assertThat(answer.body()).isEqualTo("{\"released\":true}");
        assertThat(cluster.prefiller(0).gauges().pinned()).isZero();
        assertThat(client.post(cluster.decoder(0), "/v1/kv_transfer/release", "{}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void aRequestThatPrefillFinishesNeedsNoDecoder() throws Exception {
        ObjectNode body = producing(completion(PROMPT, 1));
        body.putObject("sim").put("stop_after", 1);

        JsonNode answer = client.complete(cluster.prefiller(0), body);

        assertThat(answer.at("/choices/0/finish_reason").asString()).isEqualTo("stop");
        assertThat(answer.at("/kv_transfer_params").isNull()).isTrue();
        assertThat(cluster.prefiller(0).gauges().pinned()).isZero();
    }

    @Test
    void speaksTheAuthorsDialect() throws Exception {
        ObjectNode body = completion(PROMPT, 6).put("return_token_ids", true);
        JsonNode alone = client.complete(cluster.decoder(0), body.deepCopy());

        ObjectNode first = producing(body.deepCopy());
        first.withObject("/kv_transfer_params").put("prefill_first", true).put("transfer_id", "xfer-1");
        JsonNode prefilled = client.complete(cluster.prefiller(0), first);
        JsonNode params = prefilled.at("/kv_transfer_params");
        ObjectNode rest = completion("", 6).put("stream", true);
        rest.set("prompt", prefilled.at("/choices/0/prompt_token_ids"));
        rest.set("kv_transfer_params", params);
        HttpResponse<String> decoded = client.post(cluster.decoder(1), "/v1/completions", rest);

        assertThat(prefilled.at("/choices/0/token_ids/0").asInt())
                .isEqualTo(params.at("/prefill_first_token_id").asInt());
        assertThat(params.at("/prefill_prompt_tokens").asInt()).isEqualTo(150);
        assertThat(params.at("/prefill_continues").asBoolean()).isTrue();
        List<String> events = WorkerClient.events(decoded.body());
        assertThat(events).hasSize(6).endsWith("[DONE]");
        StringBuilder text = new StringBuilder(prefilled.at("/choices/0/text").asString());
        for (String event : events.subList(0, 5)) {
            text.append(parse(event).at("/choices/0/text").asString());
        }
        assertThat(text).hasToString(alone.at("/choices/0/text").asString());
        assertThat(cluster.prefiller(0).gauges().pinned()).isZero();
    }

    @Test
    void inTheAuthorsDialectAWholeAnswerHasTheFirstTokenTooAndWhatEndedAtItIsKept() throws Exception {
        ObjectNode body = completion(PROMPT, 6);
        JsonNode alone = client.complete(cluster.decoder(0), body.deepCopy());
        ObjectNode first = producing(body.deepCopy().put("return_token_ids", true));
        first.withObject("/kv_transfer_params").put("prefill_first", true);
        JsonNode prefilled = client.complete(cluster.prefiller(0), first.deepCopy());
        body.set("prompt", prefilled.at("/choices/0/prompt_token_ids"));
        body.set("kv_transfer_params", prefilled.at("/kv_transfer_params"));

        assertThat(client.complete(cluster.decoder(1), body)).isEqualTo(alone);

        JsonNode ended = client.complete(cluster.prefiller(0), first.put("max_tokens", 1));
        assertThat(ended.at("/kv_transfer_params/prefill_continues").asBoolean(true))
                .isFalse();
        assertThat(cluster.prefiller(0).gauges().pinned()).isOne();
    }

    @Test
    void signaturesCountTheRecordedTokens() throws Exception {
        RecordedRequest recorded = TestCluster.RECORDINGS.named("made-up-5").orElseThrow();
        int[] cells = new int[TestCluster.GEOMETRY.cells()];
        recorded.countPrompt(0, 150, cells);
        ExpertCounts counts = ExpertCounts.of(4, 16, cells);

        String sig = signed(SignatureForm.ELDR_SIG)
                .at("/kv_transfer_params/eldr_sig")
                .asString();
        assertThat(EldrSigForm.read("sig", sig, TestCluster.GEOMETRY)).isEqualTo(counts);
        JsonNode eldr = signed(SignatureForm.ELDR).at("/kv_transfer_params/eldr");
        assertThat(new EldrForm(
                                Optional.of(eldr.get("v").asInt()),
                                Optional.of(eldr.get("layers").asInt()),
                                Optional.of(eldr.get("experts").asInt()),
                                Optional.of(eldr.get("tokens").asLong()),
                                Optional.of(eldr.get("dtype").asString()),
                                Optional.of(eldr.get("counts").asString()))
                        .read("eldr", TestCluster.GEOMETRY))
                .isEqualTo(counts);
        assertThat(signed(SignatureForm.NONE).at("/kv_transfer_params").has("eldr_sig"))
                .isFalse();
        JsonNode rows = signed(SignatureForm.PROMPT_ROUTED_EXPERTS).at("/prompt_routed_experts");
        assertThat(rows.size()).isEqualTo(150);
        assertThat(rows.at("/149/3/1").asInt()).isEqualTo(recorded.promptExpert(149, 3, 1));
    }

    @Test
    void routedExpertsComeAsANumpyFileAndAsPlainInts() throws Exception {
        RecordedRequest recorded = TestCluster.RECORDINGS.named("made-up-5").orElseThrow();
        byte[] npy = Base64.getDecoder()
                .decode(signed(SignatureForm.ROUTED_EXPERTS)
                        .at("/choices/0/routed_experts")
                        .asString());
        byte[] ints = Base64.getDecoder()
                .decode(signed(SignatureForm.SGLEXT)
                        .at("/sglext/routed_experts")
                        .asString());

        int header = 10 + (npy[8] & 0xFF) + 256 * npy[9];
        assertThat(header % 64).isZero();
        assertThat(new String(npy, 10, header - 10, StandardCharsets.US_ASCII))
                .startsWith("{'descr': '|u1', 'fortran_order': False, 'shape': (150, 4, 2), }")
                .endsWith("\n");
        assertThat(npy).hasSize(header + 150 * 4 * 2);
        assertThat(ints).hasSize(4 * 150 * 4 * 2);
        int last = (149 * 4 + 3) * 2 + 1;
        assertThat((int) npy[header + last]).isEqualTo(recorded.promptExpert(149, 3, 1));
        assertThat(ByteBuffer.wrap(ints).order(ByteOrder.LITTLE_ENDIAN).getInt(4 * last))
                .isEqualTo(recorded.promptExpert(149, 3, 1));
    }

    private JsonNode signed(SignatureForm form) throws Exception {
        try (Cluster other = TestCluster.of(1, 0).withSignature(form).start()) {
            ObjectNode body = producing(completion(PROMPT, 1));
            body.putObject("sim").put("request", "made-up-5");
            return client.complete(other.prefiller(0), body);
        }
    }

    private JsonNode prefill() throws Exception {
        ObjectNode body = producing(completion(PROMPT, 1));
        return client.complete(cluster.prefiller(0), body);
    }

    private HttpResponse<String> decode(JsonNode prefilled) throws Exception {
        ObjectNode body = streamed();
        body.set("kv_transfer_params", prefilled.at("/kv_transfer_params"));
        return client.post(cluster.decoder(1), "/v1/completions", body);
    }

    private static ObjectNode streamed() {
        return completion(PROMPT, 8).put("stream", true);
    }

    private static ObjectNode producing(ObjectNode body) {
        body.putObject("kv_transfer_params").put("do_remote_decode", true).put("do_remote_prefill", false);
        return body;
    }
}
