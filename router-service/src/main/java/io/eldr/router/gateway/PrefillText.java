package io.eldr.router.gateway;

import io.eldr.router.engine.JsonMembers;
import io.eldr.router.engine.PrefillAnswer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What clients get to see of a prefill worker's answer: its one token, as a whole answer or as events. */
final class PrefillText {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> BETWEEN_ENGINES =
            Set.of("kv_transfer_params", "prompt_routed_experts", "sglext", "meta_info");
    private static final Set<String> TOKEN_IDS = Set.of("token_ids", "prompt_token_ids");
    private static final byte[] DATA = ascii("data: ");
    private static final byte[] END = ascii("\n\n");

    private PrefillText() {}

    /** The first event of a stream that a decode worker goes on with. */
    static byte[] firstEvent(PrefillAnswer.FirstToken first, CompletionRequest.Flags flags) {
        JsonMembers.Splice choice = first.choice()
                .splice()
                .without(Set.of("routed_experts"))
                .with("finish_reason", "null")
                .with("stop_reason", "null");
        if (!flags.tokenIds()) {
            choice.without(TOKEN_IDS);
        }
        JsonMembers.Splice event = first.answer()
                .splice()
                .without(BETWEEN_ENGINES)
                .without(Set.of("usage"))
                .with("choices", list(choice.toBytes()));
        Optional<byte[]> usage = first.answer().value("usage").filter(told -> flags.continuousUsage());
        if (usage.isPresent()) {
            event.with("usage", usage.get());
        } else if (flags.includeUsage()) {
            event.with("usage", "null");
        }
        return event(event.toBytes());
    }

    /** The whole answer where the first token was the last one too: as one body, or as a stream. */
    static byte[] finished(byte[] answer, CompletionRequest request) {
        byte[] whole = JsonMembers.of("answer", answer)
                .splice()
                .without(BETWEEN_ENGINES)
                .toBytes();
        ObjectNode tree = JSON.readValue(whole, ObjectNode.class);
        tree.path("choices").forEach(choice -> {
            if (choice instanceof ObjectNode object && !request.flags().tokenIds()) {
                object.remove(TOKEN_IDS);
            }
        });
        return request.stream() ? stream(tree, request) : JSON.writeValueAsBytes(tree);
    }

    private static byte[] stream(ObjectNode answer, CompletionRequest request) {
        JsonNode usage = answer.remove("usage");
        if (request.api() == Api.CHAT) {
            answer.put("object", "chat.completion.chunk");
        }
        answer.path("choices").forEach(choice -> {
            if (choice instanceof ObjectNode chunk) {
                chunk.remove("routed_experts");
                JsonNode message = chunk.remove("message");
                if (message != null) {
                    chunk.set("delta", message);
                }
            }
        });
        ByteArrayOutputStream events = new ByteArrayOutputStream();
        if (request.flags().includeUsage()) {
            ObjectNode last = answer.deepCopy();
            last.set("choices", JSON.createArrayNode());
            last.set("usage", usage);
            answer.putNull("usage");
            events.writeBytes(event(JSON.writeValueAsBytes(answer)));
            events.writeBytes(event(JSON.writeValueAsBytes(last)));
        } else {
            events.writeBytes(event(JSON.writeValueAsBytes(answer)));
        }
        events.writeBytes(event(ascii("[DONE]")));
        return events.toByteArray();
    }

    /** An event that tells what went wrong after the answer had begun. */
    static byte[] event(byte[] json) {
        byte[] event = new byte[DATA.length + json.length + END.length];
        System.arraycopy(DATA, 0, event, 0, DATA.length);
        System.arraycopy(json, 0, event, DATA.length, json.length);
        System.arraycopy(END, 0, event, DATA.length + json.length, END.length);
        return event;
    }

    private static byte[] list(byte[] element) {
        byte[] list = new byte[element.length + 2];
        list[0] = '[';
        System.arraycopy(element, 0, list, 1, element.length);
        list[list.length - 1] = ']';
        return list;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
