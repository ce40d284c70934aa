package io.eldr.router.gateway;

import io.eldr.router.engine.JsonMembers;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A prefill worker's answer as the client's own, where its first token was the last: whole, or as a stream of one chunk. */
final class FinishedAnswer {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> BETWEEN_ENGINES = Set.of("kv_transfer_params", "prompt_routed_experts");

    private FinishedAnswer() {}

    static byte[] of(byte[] answer, CompletionRequest request) {
        byte[] whole = JsonMembers.of("answer", answer)
                .splice()
                .without(BETWEEN_ENGINES)
                .toBytes();
        return request.stream() ? stream(JSON.readValue(whole, ObjectNode.class), request.api()) : whole;
    }

    private static byte[] stream(ObjectNode answer, Api api) {
        JsonNode usage = answer.remove("usage");
        if (api == Api.CHAT) {
            answer.put("object", "chat.completion.chunk");
            answer.withArray("choices").forEach(choice -> {
                ObjectNode chunk = (ObjectNode) choice;
                chunk.remove("routed_experts");
                JsonNode message = chunk.remove("message");
                if (message != null) {
                    chunk.set("delta", message);
                }
            });
        }
        StringBuilder events = new StringBuilder(event(answer));
        if (usage != null && usage.isObject()) {
            ObjectNode last = answer.deepCopy();
            last.set("choices", JSON.createArrayNode());
            last.set("usage", usage);
            events.append(event(last));
        }
        return events.append("data: [DONE]\n\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String event(ObjectNode chunk) {
        return "data: " + JSON.writeValueAsString(chunk) + "\n\n";
    }
}
