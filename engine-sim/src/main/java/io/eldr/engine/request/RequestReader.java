package io.eldr.engine.request;

import io.eldr.engine.recording.RecordedRequest;
import io.eldr.engine.recording.Recordings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the bodies of {@code /v1/completions} and {@code /v1/chat/completions}. Beside OpenAI's and vLLM's members it knows
 * the object {@code sim}: {@code request} names the recorded request whose experts are used (else the beginning of the prompt
 * chooses one), {@code duration_ms} lets the request run for so long, {@code stop_after} lets it stop by itself.
 */
public final class RequestReader {
    private static final int DEFAULT_COMPLETION_TOKENS = 16;

    private final JsonMapper json;
    private final RequestLimits limits;
    private final Recordings recordings;

    public RequestReader(JsonMapper json, RequestLimits limits, Recordings recordings) {
        this.json = json;
        this.limits = limits;
        this.recordings = recordings;
    }

    /**
     * What a request says in its headers.
     *
     * @param requestId what the client calls it, unique among its attempts
     * @param rank {@code X-data-parallel-rank}
     */
    public record Headers(String requestId, Optional<String> rank) {}

    /** @throws RequestRefusedException as vLLM refuses */
    public GenerationRequest read(GenerationRequest.Kind kind, byte[] body, Headers headers) {
        JsonNode node = parse(body);
        String model = node.path("model").asString(limits.model());
        if (!limits.models().contains(model)) {
            throw RequestRefusedException.unknownModel(model);
        }
        if (node.path("n").asInt(1) != 1) {
            throw RequestRefusedException.badRequest("n", "the simulated engine generates one answer a request");
        }
        Prompt prompt =
                kind == GenerationRequest.Kind.CHAT ? messages(node.path("messages")) : prompt(node.path("prompt"));
        KvTransfer kv = kv(node.path("kv_transfer_params"));
        Optional<Integer> asked = maxTokens(node);
        Output output = new Output(prompt.hash());
        int room = limits.maxModelLength() - prompt.tokens();
        if (room < 1 || asked.orElse(1) > room) {
            throw RequestRefusedException.badRequest(
                    "max_tokens",
                    "This model's maximum context length is " + limits.maxModelLength()
                            + " tokens. However, your request has " + prompt.tokens() + " input tokens and asks for "
                            + asked.orElse(1) + " output tokens.");
        }
        int maxTokens =
                asked.orElse(kind == GenerationRequest.Kind.CHAT ? room : Math.min(room, DEFAULT_COMPLETION_TOKENS));
        Optional<Integer> natural = natural(kind, node, asked, output);
        boolean stops = natural.isPresent() && natural.get() <= maxTokens;
        int length = stops ? natural.get() : maxTokens;
        return new GenerationRequest(
                kind,
                model,
                prompt,
                recorded(node.path("sim"), prompt),
                length,
                stops ? FinishReason.STOP : FinishReason.LENGTH,
                maxTokens,
                node.path("stream").asBoolean(false),
                node.path("stream_options").path("include_usage").asBoolean(false),
                node.path("return_token_ids").asBoolean(false),
                checked(kv, prompt, length, node),
                duration(node.path("sim")),
                rank(headers),
                headers.requestId());
    }

    /** As vLLM: what is not a number counts as not said. */
    private static OptionalInt rank(Headers headers) {
        try {
            return headers.rank().stream().mapToInt(Integer::parseInt).findFirst();
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    private JsonNode parse(byte[] body) {
        try {
            JsonNode node = json.readTree(body);
            if (node.isObject()) {
                return node;
            }
        } catch (JacksonException e) {
            throw RequestRefusedException.badRequest("body", "the body is not JSON: " + e.getOriginalMessage());
        }
        throw RequestRefusedException.badRequest("body", "the body must be a JSON object");
    }

    private static Prompt messages(JsonNode messages) {
        if (!messages.isArray() || messages.isEmpty()) {
            throw RequestRefusedException.badRequest("messages", "messages must be a list that is not empty");
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode message : messages) {
            text.append("<|").append(message.path("role").asString("user")).append("|>");
            JsonNode content = message.path("content");
            if (content.isString()) {
                text.append(content.asString());
            } else {
                content.forEach(part -> text.append(part.path("text").asString("")));
            }
            text.append('\n');
        }
        return Prompt.ofText(text.append("<|assistant|>").toString());
    }

    /** Text, token ids, or a list of one of them. */
    private static Prompt prompt(JsonNode prompt) {
        if (prompt.isString() && !prompt.asString().isEmpty()) {
            return Prompt.ofText(prompt.asString());
        }
        if (prompt.isArray() && !prompt.isEmpty() && prompt.valueStream().allMatch(JsonNode::isInt)) {
            return Prompt.ofIds(prompt.valueStream().map(JsonNode::asInt).toList());
        }
        if (prompt.isArray() && prompt.size() == 1) {
            return prompt(prompt.get(0));
        }
        throw RequestRefusedException.badRequest(
                "prompt", "the simulated engine takes one prompt: text, or a list of token ids");
    }

    private static Optional<Integer> maxTokens(JsonNode node) {
        for (String name : List.of("max_completion_tokens", "max_tokens")) {
            JsonNode value = node.path(name);
            if (value.isMissingNode() || value.isNull()) {
                continue;
            }
            if (!value.isInt() || value.asInt() < 1) {
                throw RequestRefusedException.badRequest(name, name + " must be at least 1, got " + value);
            }
            return Optional.of(value.asInt());
        }
        return Optional.empty();
    }

    /** Where the request would stop by itself, if it would. */
    private static Optional<Integer> natural(
            GenerationRequest.Kind kind, JsonNode node, Optional<Integer> asked, Output output) {
        int stopAfter = node.path("sim").path("stop_after").asInt(0);
        if (stopAfter > 0) {
            return Optional.of(stopAfter);
        }
        boolean limited = asked.isPresent() || kind == GenerationRequest.Kind.COMPLETION;
        return limited ? Optional.empty() : Optional.of(output.naturalLength());
    }

    private RecordedRequest recorded(JsonNode sim, Prompt prompt) {
        String name = sim.path("request").asString("");
        if (name.isEmpty()) {
            return recordings.of(prompt.familyHash());
        }
        return recordings
                .named(name)
                .orElseThrow(() -> RequestRefusedException.badRequest(
                        "sim.request", "the recording has no request '" + name + "'"));
    }

    private static Optional<Duration> duration(JsonNode sim) {
        JsonNode millis = sim.path("duration_ms");
        if (millis.isMissingNode()) {
            return Optional.empty();
        }
        if (!millis.isNumber() || !(millis.asDouble() >= 0) || millis.asDouble() > 86_400_000) {
            throw RequestRefusedException.badRequest(
                    "sim.duration_ms", "sim.duration_ms must be between 0 and a day, got " + millis);
        }
        return Optional.of(Duration.ofNanos((long) (millis.asDouble() * 1e6)));
    }

    private static KvTransfer kv(JsonNode params) {
        if (params.path("do_remote_decode").asBoolean(false)) {
            return new KvTransfer.Produce(params.path("prefill_first").asBoolean(false));
        }
        if (params.path("do_remote_prefill").asBoolean(false)) {
            JsonNode first = params.path("prefill_first_token_id");
            return new KvTransfer.Consume(
                    params.path("remote_engine_id").asString(""),
                    params.path("remote_request_id").asString(""),
                    first.isInt() ? OptionalInt.of(first.asInt()) : OptionalInt.empty());
        }
        return new KvTransfer.Local();
    }

    /** What the authors' fork checks of a request whose first token was generated on another worker. */
    private static KvTransfer checked(KvTransfer kv, Prompt prompt, int length, JsonNode node) {
        if (kv instanceof KvTransfer.Consume consume && consume.firstToken().isPresent()) {
            JsonNode params = node.path("kv_transfer_params");
            if (params.path("prefill_prompt_tokens").asInt(-1) != prompt.tokens()) {
                throw RequestRefusedException.badRequest("prompt", "Prefill/decode prompt length mismatch");
            }
            if (!params.path("prefill_continues").asBoolean(false) || length < 2) {
                throw RequestRefusedException.badRequest(
                        "kv_transfer_params", "A completed prefill must not start decode generation");
            }
        }
        return kv;
    }
}
