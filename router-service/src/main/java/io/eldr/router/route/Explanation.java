package io.eldr.router.route;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.eldr.core.routing.Evaluation;
import io.eldr.core.routing.UnionPrices;
import io.eldr.router.policy.ShadowChoice;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** A recent decision with all that it was made on. */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "A recent decision with all that it was made on")
record Explanation(
        Instant at,
        int promptTokens,
        Optional<String> label,

        @Schema(description = "The READY decoders among the request's candidates; absent where it named none")
        Optional<Set<String>> candidates,

        @Schema(description = "The READY decoders among those the request excluded")
        Set<String> exclude,

        @Schema(description = "Whether the request came with expert counts")
        boolean signature,

        @Schema(description = "The answer that was given, without its reservation")
        RouteAnswer decision,

        @Schema(description = "All READY decoders as they stood")
        List<DecoderExplanation> decoders,

        @Schema(description = "What the pool's shadow policy would have done, where it was asked")
        Optional<ShadowExplanation> shadow) {

    /** A decoder as the decision saw it. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @Schema(name = "DecoderExplanation")
    record DecoderExplanation(
            String id,
            @Schema(types = {"integer"}) OptionalInt cluster,

            @Schema(
                    description = "Similarity of the request to its cluster",
                    types = {"number"})
            OptionalDouble similarity,

            @Schema(
                    description =
                            "Milliseconds that the request would have cost everybody there in a decode step, where"
                                    + " the policy went by that",
                    types = {"number"})
            OptionalDouble priceMs,

            @Schema(
                    description = "Experts that it was expected to add to a step there, summed over layers",
                    types = {"number"})
            OptionalDouble addedExperts,

            @Schema(
                    description = "Experts that were expected to be active there without it, summed over layers",
                    types = {"number"})
            OptionalDouble activeExperts,

            @Schema(
                    description = "In flight at that moment; absent where the request may not go there or it was full",
                    types = {"integer"})
            OptionalInt inFlight,

            @Schema(
                    description = "Its load as estimated at that moment; absent where inFlight is",
                    types = {"number"})
            OptionalDouble load) {}

    /** A shadow's choice. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @Schema(name = "ShadowExplanation")
    record ShadowExplanation(
            String policy,
            String decoder,
            String reason,
            boolean agrees,

            @Schema(
                    description = "Similarity to its decoder less that to the live one's",
                    types = {"number"})
            OptionalDouble similarityDifference,

            @Schema(
                    description = "The request's price on its decoder less that on the live one's, in milliseconds",
                    types = {"number"})
            OptionalDouble priceDifferenceMs,

            @Schema(description = "Load of its decoder less that of the live one's, in requests")
            double loadDifference) {
        static ShadowExplanation of(ShadowChoice choice) {
            return new ShadowExplanation(
                    choice.policy().id(),
                    choice.decoder(),
                    choice.reason().id(),
                    choice.agrees(),
                    choice.similarityDifference(),
                    choice.priceDifference(),
                    choice.loadDifference());
        }
    }

    static Explanation of(DecisionRecord record, Optional<ShadowChoice> shadow) {
        Evaluation evaluation = record.chosen().evaluation();
        List<DecoderExplanation> decoders = new ArrayList<>();
        for (int i = 0; i < record.rows().size(); i++) {
            OptionalInt cluster = record.rows().get(i).cluster();
            OptionalDouble similarity = cluster.isPresent() && evaluation.clusters() > 0
                    ? OptionalDouble.of(evaluation.similarity(cluster.getAsInt()))
                    : OptionalDouble.empty();
            decoders.add(new DecoderExplanation(
                    record.rows().get(i).id(),
                    cluster,
                    similarity,
                    ofPrices(evaluation, UnionPrices::millis, i),
                    ofPrices(evaluation, UnionPrices::addedExperts, i),
                    ofPrices(evaluation, UnionPrices::activeExperts, i),
                    evaluation.inFlight(i),
                    evaluation.load(i)));
        }
        return new Explanation(
                record.at(),
                record.promptTokens(),
                record.label(),
                record.candidates().map(record::names),
                record.names(record.exclude()),
                record.signature(),
                RouteAnswer.of(record.requestId(), record.chosen(), Optional.empty()),
                decoders,
                shadow.map(ShadowExplanation::of));
    }

    private interface PriceValue {
        double of(UnionPrices prices, int decoder);
    }

    private static OptionalDouble ofPrices(Evaluation evaluation, PriceValue value, int decoder) {
        double found =
                evaluation.prices().map(prices -> value.of(prices, decoder)).orElse(Double.NaN);
        return Double.isNaN(found) ? OptionalDouble.empty() : OptionalDouble.of(found);
    }
}
