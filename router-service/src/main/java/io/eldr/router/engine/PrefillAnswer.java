package io.eldr.router.engine;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a prefill worker answered (vLLM with NIXL, pull mode).
 *
 * @param transfer the {@code kv_transfer_params} for the decode worker, byte for byte but for this project's own keys;
 *     empty where the worker gave none
 * @param finished whether the worker ended the answer itself, at its first token, so that nothing is left to decode
 * @param promptTokens as the worker counted them
 */
public record PrefillAnswer(
        Optional<byte[]> transfer, boolean finished, OptionalInt promptTokens, PromptSignature signature) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Set<String> OWN_KEYS = Set.of("eldr_sig", "eldr");
    private static final String ONE_TOKEN_MADE = "length";

    /** @throws InvalidInputException if the body is not a JSON object */
    public static PrefillAnswer of(byte[] body, Geometry geometry) {
        JsonMembers answer = JsonMembers.of("answer", body);
        Optional<JsonMembers> params = answer.object("kv_transfer_params");
        Optional<JsonNode> choice = firstChoice(answer);
        Optional<String> finish = choice.map(node -> node.path("finish_reason"))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue);
        OptionalInt promptTokens = answer.object("usage")
                .flatMap(usage -> usage.value("prompt_tokens"))
                .map(JSON::readTree)
                .filter(node -> node.isInt() && node.intValue() > 0)
                .map(node -> OptionalInt.of(node.intValue()))
                .orElse(OptionalInt.empty());
        return new PrefillAnswer(
                params.map(object -> object.splice().without(OWN_KEYS).toBytes()),
                finish.filter(reason -> !reason.equals(ONE_TOKEN_MADE)).isPresent(),
                promptTokens,
                new SignatureReader(geometry, promptTokens).read(answer, params, choice));
    }

    private static Optional<JsonNode> firstChoice(JsonMembers answer) {
        try {
            return answer.value("choices").map(JSON::readTree).map(choices -> choices.path(0));
        } catch (JacksonException e) {
            throw new InvalidInputException("choices", "cannot be read: " + e.getOriginalMessage());
        }
    }
}
