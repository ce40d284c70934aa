package io.eldr.router.gateway;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.engine.JsonMembers;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a client asked for: its body, and what the gateway has to know of it. */
final class CompletionRequest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String TRANSFER = "kv_transfer_params";
    private static final String ASK_FOR_TRANSFER =
            "{\"do_remote_decode\":true,\"do_remote_prefill\":false,\"remote_engine_id\":null,"
                    + "\"remote_block_ids\":null,\"remote_host\":null,\"remote_port\":null}";
    /** So much of a prompt decides which prefill worker gets it. */
    private static final int PREFIX = 1_024;

    private final Api api;
    private final JsonMembers members;
    private final String model;
    private final boolean stream;
    private final byte[] prefix;

    private CompletionRequest(Api api, JsonMembers members, String model, boolean stream, byte[] prefix) {
        this.api = api;
        this.members = members;
        this.model = model;
        this.stream = stream;
        this.prefix = prefix;
    }

    /** @throws GatewayException naming the field that is refused */
    static CompletionRequest parse(Api api, byte[] body) {
        JsonMembers members;
        try {
            members = JsonMembers.of("body", body);
        } catch (InvalidInputException refused) {
            throw GatewayException.invalid("body", "The body " + refused.reason() + ".");
        }
        String model = members.value("model")
                .map(CompletionRequest::node)
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .orElseThrow(() -> GatewayException.invalid("model", "model must be a string."));
        boolean stream = members.has("stream") && bool(members, "stream");
        requireOne(members, "n");
        requireOne(members, "best_of");
        byte[] prompt = members.value(api.prompt())
                .orElseThrow(() -> GatewayException.invalid(api.prompt(), api.prompt() + " is missing."));
        if (api == Api.COMPLETION) {
            requireOnePrompt(prompt);
        }
        return new CompletionRequest(
                api, members, model, stream, Arrays.copyOf(prompt, Math.min(PREFIX, prompt.length)));
    }

    Api api() {
        return api;
    }

    String model() {
        return model;
    }

    boolean stream() {
        return stream;
    }

    /** The first bytes of the prompt, which requests with the same beginning share. */
    byte[] prefix() {
        return prefix;
    }

    /** The body that makes a prefill worker read the prompt, keep what it made of it, and answer one token at once. */
    byte[] forPrefill() {
        JsonMembers.Splice body = members.splice()
                .without(Set.of("stream_options", "min_tokens"))
                .with("stream", "false")
                .with("max_tokens", "1")
                .with(TRANSFER, ASK_FOR_TRANSFER);
        if (members.has("max_completion_tokens")) {
            body.with("max_completion_tokens", "1");
        }
        return body.toBytes();
    }

    /** The client's body for a decode worker, with what the prefill worker said of where the prompt's state lies. */
    byte[] forDecode(byte[] transfer) {
        return members.splice().with(TRANSFER, transfer).toBytes();
    }

    private static JsonNode node(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (JacksonException e) {
            throw GatewayException.invalid("body", "The body is not well-formed JSON: " + e.getOriginalMessage());
        }
    }

    private static boolean bool(JsonMembers members, String name) {
        JsonNode value = node(members.value(name).orElseThrow());
        if (!value.isBoolean()) {
            throw GatewayException.invalid(name, name + " must be true or false.");
        }
        return value.booleanValue();
    }

    private static void requireOne(JsonMembers members, String name) {
        Optional<JsonNode> value = Optional.of(members)
                .filter(object -> object.has(name))
                .flatMap(object -> object.value(name))
                .map(CompletionRequest::node);
        if (value.filter(node -> !node.isInt() || node.intValue() != 1).isPresent()) {
            throw GatewayException.invalid(
                    name, name + " must be 1: the state of one prompt is handed to one decode worker.");
        }
    }

    /** A text or the ids of its tokens; several texts, or lists of ids, are several prompts. */
    private static void requireOnePrompt(byte[] prompt) {
        int first = 0;
        if (prompt[first] != '[') {
            if (prompt[first] != '"') {
                throw GatewayException.invalid("prompt", "prompt must be a string or a list of token ids.");
            }
            return;
        }
        do {
            first++;
        } while (first < prompt.length && Character.isWhitespace(prompt[first]));
        if (!Character.isDigit(prompt[first]) && node(prompt).size() != 1) {
            throw GatewayException.invalid(
                    "prompt", "prompt must be one prompt, as a string or a list of token ids; send several requests.");
        }
    }
}
