package io.eldr.router.gateway;

import static io.eldr.router.testing.GatewayClient.CHAT;
import static io.eldr.router.testing.GatewayClient.COMPLETIONS;
import static io.eldr.router.testing.SharedRouter.REGISTRY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.eldr.core.routing.PolicyName;
import io.eldr.router.testing.GatewayClient;
import io.eldr.router.testing.SimulatedPool;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** A request has the same answer, byte for byte, whatever policy chooses whatever decoder. */
class LosslessTest {
    private static final int PROMPTS = 12;

    @ParameterizedTest
    @ValueSource(strings = {"vllm", "prefill-first"})
    void theSameBytesComeUnderEveryPolicyAndFromEveryDecoder(String dialect) {
        try (SimulatedPool pool = SimulatedPool.engines(2, 3).dialect(dialect).serve();
                GatewayClient gateway = GatewayClient.ofRouter();
                GatewayClient alone = new GatewayClient(pool.decoder(0).url())) {
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < PROMPTS; i++) {
                expected.add(alone.post(
                                path(dialect, i),
                                body(SimulatedPool.SERVED, dialect, i).toString())
                        .body());
            }
            Set<String> decoders = new HashSet<>();
            for (PolicyName policy : PolicyName.values()) {
                REGISTRY.set(pool.name(), "policy", policy.id());
                await().until(() -> pool.pool().state().policyName() == policy);
                for (int i = 0; i < PROMPTS; i++) {
                    HttpResponse<String> answer = gateway.post(
                            path(dialect, i), body(pool.name(), dialect, i).toString());
                    assertThat(answer.headers().firstValue("x-eldr-policy"))
                            .as(answer.body())
                            .contains(policy.id());
                    decoders.add(answer.headers().firstValue("x-eldr-decoder").orElseThrow());
                    assertThat(answer.body()).isEqualTo(expected.get(i));
                }
            }
            assertThat(decoders).hasSize(3);
            pool.awaitIdle();
            pool.awaitNothingKept();
        }
    }

    @Test
    void adaptersKeepTheirNamesAndOtherNamesBecomeTheEngines() {
        try (SimulatedPool pool = SimulatedPool.engines(1, 1).serve();
                GatewayClient gateway = GatewayClient.ofRouter()) {
            assertThat(gateway.complete(GatewayClient.completion(pool.adapter(), "x", 2))
                            .body())
                    .contains("\"model\":\"" + pool.adapter() + "\"");
            assertThat(gateway.complete(GatewayClient.completion(pool.name(), "x", 2))
                            .body())
                    .contains("\"model\":\"" + SimulatedPool.SERVED + "\"");
            // Without the setting the engine hears the client's own word, and says itself what it thinks of it.
            REGISTRY.jdbc()
                    .sql("update pool set engine_model = null where name = :name")
                    .param("name", pool.name())
                    .update();
            await().until(() -> pool.pool().state().intent().engines().model().isEmpty());
            HttpResponse<String> refused = gateway.complete(GatewayClient.completion(pool.name(), "x", 2));
            assertThat(refused.statusCode()).isEqualTo(404);
            assertThat(refused.body()).contains("The model `" + pool.name() + "` does not exist.");
        }
    }

    /** Completions and chats, streams and whole answers. */
    private static ObjectNode body(String model, String dialect, int number) {
        String prompt = "Prompt number " + number + " of many. ".repeat(number);
        ObjectNode body = path(dialect, number).equals(CHAT)
                ? GatewayClient.chat(model, prompt, 3 + number)
                : GatewayClient.completion(model, prompt, 3 + number);
        return body.put("stream", number % 4 < 2);
    }

    private static String path(String dialect, int number) {
        return dialect.equals("vllm") && number % 2 == 0 ? CHAT : COMPLETIONS;
    }
}
