package io.eldr.router.engine;

import io.eldr.core.signature.EldrForm;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.NestedForm;
import io.eldr.core.signature.RoutedExpertsForm;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Finds the expert counts in a prefill worker's answer, in whichever form it has; the first one found counts. */
final class SignatureReader {
    private static final JsonMapper JSON = JsonMapper.shared();
    /** The fork's counters are int16 and wrap above it, which a negative value need not show. */
    private static final int FORK_COUNTS_UP_TO = Short.MAX_VALUE;

    private final Geometry geometry;
    private final OptionalInt promptTokens;

    SignatureReader(Geometry geometry, OptionalInt promptTokens) {
        this.geometry = geometry;
        this.promptTokens = promptTokens;
    }

    PromptSignature read(JsonMembers answer, Optional<JsonMembers> params, Optional<JsonMembers> choice) {
        Optional<String> sig = params.flatMap(object -> object.text("eldr_sig"));
        if (sig.isPresent()) {
            return reading("eldr_sig", () -> fork(sig.get()));
        }
        Optional<JsonMembers> eldr = params.flatMap(object -> object.object("eldr"));
        if (eldr.isPresent()) {
            return reading("eldr", () -> form(eldr.get()).read("eldr", geometry));
        }
        Optional<String> routed = choice.flatMap(made -> made.text("routed_experts"))
                .or(() -> answer.object("sglext").flatMap(object -> object.text("routed_experts")))
                .or(() -> answer.object("meta_info").flatMap(object -> object.text("routed_experts")));
        if (routed.isPresent()) {
            return reading(
                    "routed_experts",
                    () -> RoutedExpertsForm.read("routed_experts", routed.get(), geometry)
                            .firstTokens("routed_experts", tokens()));
        }
        if (answer.has("prompt_routed_experts")) {
            byte[] rows = answer.value("prompt_routed_experts").orElseThrow();
            return reading(
                    "prompt_routed_experts",
                    () -> NestedForm.read("prompt_routed_experts", JSON.readValue(rows, int[][][].class), geometry)
                            .firstTokens("prompt_routed_experts", tokens()));
        }
        return new PromptSignature.Missing();
    }

    private static PromptSignature reading(String form, Supplier<ExpertCounts> counts) {
        try {
            return new PromptSignature.Read(counts.get(), form);
        } catch (InvalidInputException | JacksonException | NullPointerException bad) {
            // Nested lists of an engine may hold null anywhere.
            return new PromptSignature.Bad(form, String.valueOf(bad.getMessage()));
        }
    }

    private ExpertCounts fork(String base64) {
        if (promptTokens.isPresent() && promptTokens.getAsInt() > FORK_COUNTS_UP_TO) {
            throw new InvalidInputException(
                    "eldr_sig", "may have wrapped: the prompt has " + promptTokens.getAsInt() + " tokens");
        }
        return EldrSigForm.read("eldr_sig", base64, geometry);
    }

    private int tokens() {
        return promptTokens.orElseThrow(() ->
                new InvalidInputException("usage.prompt_tokens", "is missing, so prompt and answer run together"));
    }

    private static EldrForm form(JsonMembers eldr) {
        return new EldrForm(
                integer(eldr, "v"),
                integer(eldr, "layers"),
                integer(eldr, "experts"),
                eldr.node("tokens").filter(JsonNode::canConvertToLong).map(JsonNode::longValue),
                eldr.text("dtype"),
                eldr.text("counts"));
    }

    private static Optional<Integer> integer(JsonMembers object, String name) {
        return object.node(name).filter(JsonNode::canConvertToInt).map(JsonNode::intValue);
    }
}
