package io.eldr.router.engine;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The ELDR authors' vLLM fork: the client's first token is the prefill worker's, and the decode worker goes on after it, on
 * the prompt's ids. A decode worker that is asked for a whole answer gives the first token in it too.
 */
public final class PrefillFirstDialect implements EngineDialect {
    /** What the fork refuses, where it is there and not false or empty. */
    private static final List<String> UNSUPPORTED = List.of(
            "echo", "suffix", "use_beam_search", "prompt_embeds", "structured_outputs", "thinking_token_budget");

    private static final List<String> UNSUPPORTED_AT_ALL = List.of("logprobs", "prompt_logprobs");

    @Override
    public boolean servesChat() {
        return false;
    }

    @Override
    public boolean givesFree() {
        return true;
    }

    @Override
    public void check(JsonMembers request) {
        for (String name : UNSUPPORTED) {
            if (request.has(name)
                    && request.node(name).filter(PrefillFirstDialect::says).isPresent()) {
                throw refused(name);
            }
        }
        for (String name : UNSUPPORTED_AT_ALL) {
            if (request.has(name)) {
                throw refused(name);
            }
        }
        if (request.object("response_format")
                .filter(format -> !format.text("type").equals(Optional.of("text")))
                .isPresent()) {
            throw refused("response_format");
        }
        OptionalInt maxTokens = request.integer("max_tokens");
        if (maxTokens.isPresent() && maxTokens.getAsInt() < 1) {
            throw new InvalidInputException("max_tokens", "must be at least 1");
        }
    }

    private static boolean says(JsonNode value) {
        boolean empty = (value.isContainer() && value.isEmpty())
                || (value.isString() && value.stringValue().isEmpty())
                || (value.isNumber() && value.doubleValue() == 0);
        return !empty && !(value.isBoolean() && !value.booleanValue());
    }

    private static InvalidInputException refused(String name) {
        return new InvalidInputException(name, "is not served where the prefill worker makes the first token");
    }

    /** With the client's own {@code max_tokens}: by it the worker tells whether anything is left to decode. */
    @Override
    public byte[] forPrefill(JsonMembers.Splice request, String requestId) {
        String id = JsonNodeFactory.instance.stringNode("xfer-" + requestId).toString();
        return request.without(Set.of("stream_options"))
                .with("stream", "false")
                .with("return_token_ids", "true")
                .with(
                        Transfer.FIELD,
                        "{\"do_remote_decode\":true,\"do_remote_prefill\":false,\"transfer_id\":" + id
                                + ",\"prefill_first\":true}")
                .toBytes();
    }

    @Override
    public PrefillAnswer read(byte[] body, Geometry geometry) {
        JsonMembers answer = JsonMembers.of("answer", body);
        Optional<JsonMembers> kept = answer.object(Transfer.FIELD);
        Optional<JsonMembers> choice = answer.firstOf("choices");
        if (kept.isEmpty() || choice.isEmpty()) {
            return new PrefillAnswer.NothingKept();
        }
        JsonMembers transfer = kept.get();
        boolean continues = transfer.node("prefill_continues")
                .filter(JsonNode::isBoolean)
                .map(JsonNode::booleanValue)
                .orElseThrow(() -> new InvalidInputException("prefill_continues", "is not true or false"));
        if (!continues) {
            return new PrefillAnswer.Finished(kept);
        }
        requireHistory(transfer, choice.get());
        OptionalInt promptTokens = transfer.integer("prefill_prompt_tokens");
        return new PrefillAnswer.HandedOver(
                transfer,
                promptTokens,
                new SignatureReader(geometry, promptTokens).read(answer, kept, choice),
                Optional.of(new PrefillAnswer.FirstToken(answer, choice.get())));
    }

    /** What the decode worker goes on with must be what the client sees. */
    private static void requireHistory(JsonMembers transfer, JsonMembers choice) {
        OptionalInt token = transfer.integer("prefill_first_token_id");
        boolean one = choice.node("token_ids")
                .filter(ids -> ids.isArray() && ids.size() == 1 && token.isPresent())
                .filter(ids -> ids.path(0).isInt() && ids.path(0).intValue() == token.getAsInt())
                .isPresent();
        if (!one) {
            throw new InvalidInputException("token_ids", "are not the one token of prefill_first_token_id");
        }
        int ids = choice.value("prompt_token_ids")
                .map(PrefillFirstDialect::numbers)
                .orElse(0);
        OptionalInt tokens = transfer.integer("prefill_prompt_tokens");
        if (ids == 0 || tokens.isEmpty() || tokens.getAsInt() != ids) {
            throw new InvalidInputException("prompt_token_ids", "are not as many as prefill_prompt_tokens");
        }
    }

    /** How many numbers a list has that is known to be JSON, without reading them: there may be 100,000. */
    private static int numbers(byte[] list) {
        int numbers = 0;
        boolean inNumber = false;
        for (byte character : list) {
            boolean digit = character >= '0' && character <= '9';
            numbers += digit && !inNumber ? 1 : 0;
            inNumber = digit;
        }
        return numbers;
    }

    @Override
    public byte[] forDecode(JsonMembers.Splice request, PrefillAnswer.HandedOver state) {
        PrefillAnswer.FirstToken first = state.first().orElseThrow();
        JsonMembers.Splice transfer = Transfer.forDecode(state.transfer());
        first.answer().value("created").ifPresent(created -> transfer.with("prefill_created", created));
        return request.without(Set.of("truncate_prompt_tokens"))
                .with("prompt", first.choice().value("prompt_token_ids").orElseThrow())
                .with("add_special_tokens", "false")
                .with(Transfer.FIELD, transfer.toBytes())
                .toBytes();
    }
}
