package io.eldr.router.gateway;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.router.engine.EngineDialect;
import io.eldr.router.engine.JsonMembers;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a client asked for: its body, and what the gateway has to know of it. */
final class CompletionRequest {
    /** So much of a prompt decides which prefill worker gets it. */
    private static final int PREFIX = 1_024;

    private final Api api;
    private final JsonMembers members;
    private final String model;
    private final Flags flags;
    private final byte[] prefix;

    private CompletionRequest(Api api, JsonMembers members, String model, Flags flags, byte[] prefix) {
        this.api = api;
        this.members = members;
        this.model = model;
        this.flags = flags;
        this.prefix = prefix;
    }

    /**
     * How the answer is to look.
     *
     * @param includeUsage a last event of a stream tells the usage
     * @param continuousUsage each event of a stream does
     * @param tokenIds the ids of prompt and answer are told
     */
    record Flags(boolean stream, boolean includeUsage, boolean continuousUsage, boolean tokenIds) {}

    /** @throws GatewayException naming the field that is refused */
    static CompletionRequest parse(Api api, byte[] body) {
        JsonMembers members;
        try {
            members = JsonMembers.of("body", body);
        } catch (InvalidInputException refused) {
            throw GatewayException.invalid("body", "The body " + refused.reason() + ".");
        }
        try {
            String model = members.text("model")
                    .orElseThrow(() -> GatewayException.invalid("model", "model must be a string."));
            requireOne(members, "n");
            requireOne(members, "best_of");
            byte[] prefix = members.begin(api.prompt(), PREFIX)
                    .orElseThrow(() -> GatewayException.invalid(api.prompt(), api.prompt() + " is missing."));
            if (api == Api.COMPLETION) {
                requireOnePrompt(members, prefix);
            }
            return new CompletionRequest(api, members, model, flags(members), prefix);
        } catch (InvalidInputException refused) {
            throw GatewayException.invalid(refused.field(), refused.field() + " " + refused.reason() + ".");
        }
    }

    Api api() {
        return api;
    }

    String model() {
        return model;
    }

    Flags flags() {
        return flags;
    }

    boolean stream() {
        return flags.stream();
    }

    /** The first bytes of the prompt, which requests with the same beginning share. */
    byte[] prefix() {
        return prefix;
    }

    /** @throws GatewayException if engines of this dialect cannot serve it */
    void requireServed(EngineDialect dialect) {
        if (api == Api.CHAT && !dialect.servesChat()) {
            throw new GatewayException(
                    GatewayException.Kind.NO_CHAT,
                    Optional.of("model"),
                    "The engines of this model serve /v1/completions, and no chat.");
        }
        try {
            dialect.check(members);
        } catch (InvalidInputException refused) {
            throw GatewayException.invalid(refused.field(), refused.field() + " " + refused.reason() + ".");
        }
    }

    /**
     * The client's body, to be changed for an engine.
     *
     * @param engineModel what the engine calls the model; empty: by the client's own word
     */
    JsonMembers.Splice body(Optional<String> engineModel) {
        JsonMembers.Splice body = members.splice();
        engineModel.ifPresent(name ->
                body.with("model", JsonNodeFactory.instance.stringNode(name).toString()));
        return body;
    }

    private static Flags flags(JsonMembers members) {
        Optional<JsonMembers> options = members.object("stream_options");
        return new Flags(
                bool(members, "stream"),
                options.filter(object -> is(object, "include_usage")).isPresent(),
                options.filter(object -> is(object, "continuous_usage_stats")).isPresent(),
                is(members, "return_token_ids"));
    }

    private static boolean is(JsonMembers object, String name) {
        return object.node(name)
                .filter(JsonNode::isBoolean)
                .filter(JsonNode::booleanValue)
                .isPresent();
    }

    private static boolean bool(JsonMembers members, String name) {
        if (members.has(name) && members.node(name).filter(JsonNode::isBoolean).isEmpty()) {
            throw GatewayException.invalid(name, name + " must be true or false.");
        }
        return is(members, name);
    }

    private static void requireOne(JsonMembers members, String name) {
        if (members.has(name) && !members.integer(name).equals(java.util.OptionalInt.of(1))) {
            throw GatewayException.invalid(
                    name, name + " must be 1: the state of one prompt is handed to one decode worker.");
        }
    }

    /** A text or the ids of its tokens; several texts, or lists of ids, are several prompts. */
    private static void requireOnePrompt(JsonMembers members, byte[] prompt) {
        if (prompt[0] == '"') {
            return;
        }
        if (prompt[0] != '[') {
            throw GatewayException.invalid("prompt", "prompt must be a string or a list of token ids.");
        }
        int first = 1;
        while (first < prompt.length && Character.isWhitespace(prompt[first])) {
            first++;
        }
        boolean ids = first < prompt.length && Character.isDigit(prompt[first]);
        if (!ids && members.node("prompt").orElseThrow().size() != 1) {
            throw GatewayException.invalid(
                    "prompt", "prompt must be one prompt, as a string or a list of token ids; send several requests.");
        }
    }
}
