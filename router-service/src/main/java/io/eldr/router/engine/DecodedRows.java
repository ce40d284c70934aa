package io.eldr.router.engine;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.RoutedExpertsForm;
import io.eldr.core.signature.RoutedRows;
import java.util.Optional;
import java.util.OptionalInt;

/** The experts of what was decoded, in a whole answer of an engine that returns routed experts. */
public final class DecodedRows {
    private static final String ROWS = "routed_experts";

    private DecodedRows() {}

    /**
     * With c tokens in the answer, the last of which nothing was computed with, there are c - 1 rows of it behind those of
     * the prompt, or alone.
     *
     * @return empty where the answer has no rows, or only those of its prompt
     * @throws InvalidInputException naming what is at fault if the rows are as many as make no sense
     */
    public static Optional<ExpertCounts> read(JsonMembers answer, Geometry geometry) {
        Optional<String> text = answer.firstOf("choices").flatMap(choice -> choice.text(ROWS));
        if (text.isEmpty()) {
            return Optional.empty();
        }
        RoutedRows rows = RoutedExpertsForm.read(ROWS, text.get(), geometry);
        int prompt = usage(answer, "prompt_tokens");
        int decoded = usage(answer, "completion_tokens") - 1;
        if (decoded < 1 || rows.tokens() == prompt) {
            return Optional.empty();
        }
        if (rows.tokens() == prompt + decoded) {
            return Optional.of(rows.counts(prompt, prompt + decoded));
        }
        if (rows.tokens() == decoded) {
            return Optional.of(rows.counts(0, decoded));
        }
        throw new InvalidInputException(
                ROWS,
                "has rows of " + rows.tokens() + " tokens, where the prompt has " + prompt + " and the answer "
                        + (decoded + 1));
    }

    private static int usage(JsonMembers answer, String name) {
        OptionalInt tokens =
                answer.object("usage").map(usage -> usage.integer(name)).orElse(OptionalInt.empty());
        return tokens.orElseThrow(() -> new InvalidInputException("usage." + name, "is missing"));
    }
}
