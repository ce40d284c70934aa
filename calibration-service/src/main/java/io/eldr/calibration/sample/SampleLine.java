package io.eldr.calibration.sample;

import io.eldr.calibration.web.Fields;
import io.eldr.core.signature.EldrForm;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.sample.DecodedTokens;
import io.eldr.db.sample.NewSample;
import io.eldr.db.sample.SampleSource;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;

/**
 * A line of a body of samples.
 *
 * @param requestId a pool keeps the first sample of each
 * @param label the topic or task, where known
 * @param promptTokens how many tokens {@code prefill} counts; each layer sums to promptTokens x k
 * @param decodeTokens how many tokens {@code decode} counts; given exactly where that is
 */
record SampleLine(
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED, maxLength = 200)
        Optional<String> requestId,

        @Schema(maxLength = 200) Optional<String> label,
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Optional<Integer> promptTokens,
        @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Optional<Counts> prefill,
        Optional<Integer> decodeTokens,
        Optional<Counts> decode) {

    /** Expert counts in exactly one of the wire forms. */
    record Counts(
            @Schema(name = "eldr_sig", description = "base64 of int16 [L,E]")
            Optional<String> eldr_sig,

            Optional<EldrForm> eldr) {
        ExpertCounts read(String field, Geometry geometry, int tokens) {
            if (eldr_sig.isPresent() == eldr.isPresent()) {
                throw new InvalidInputException(field, "must hold exactly one of eldr_sig and eldr");
            }
            if (eldr_sig.isPresent()) {
                String member = field + ".eldr_sig";
                return EldrSigForm.read(member, eldr_sig.get(), geometry)
                        .requireRowSums(member, tokens, geometry.topK());
            }
            String member = field + ".eldr";
            return eldr.orElseThrow()
                    .read(member, geometry)
                    .requireRowSums(member + ".counts", tokens, geometry.topK());
        }
    }

    /** @throws InvalidInputException naming the field at fault */
    NewSample sample(Geometry geometry) {
        int tokens = positive("promptTokens", Fields.required("promptTokens", promptTokens));
        ExpertCounts counts = Fields.required("prefill", prefill).read("prefill", geometry, tokens);
        return new NewSample(
                Fields.required("requestId", requestId), label, tokens, counts, decoded(geometry), SampleSource.API);
    }

    private Optional<DecodedTokens> decoded(Geometry geometry) {
        if (decode.isEmpty()) {
            if (decodeTokens.orElse(0) != 0) {
                throw new InvalidInputException("decode", "is missing although decodeTokens is given");
            }
            return Optional.empty();
        }
        int tokens = positive("decodeTokens", Fields.required("decodeTokens", decodeTokens));
        return Optional.of(new DecodedTokens(tokens, decode.get().read("decode", geometry, tokens)));
    }

    private static int positive(String field, int tokens) {
        if (tokens < 1) {
            throw new InvalidInputException(field, "must be at least 1 but is " + tokens);
        }
        return tokens;
    }
}
