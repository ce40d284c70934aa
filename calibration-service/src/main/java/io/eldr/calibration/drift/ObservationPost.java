package io.eldr.calibration.drift;

import io.eldr.calibration.web.Fields;
import io.eldr.core.drift.ObservationWindow;
import io.eldr.core.signature.InvalidInputException;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a router observed since its last post.
 *
 * @param router names one run of a router
 * @param sequence numbers the posts of that run in this pool; a number that came before is not counted again
 * @param generation the activation generation that served
 * @param requests how many requests were decided
 * @param withoutSignature how many of them had no signature that says anything; the rest is about the others
 * @param nearest how many were nearest to each of the artifact's clusters
 * @param similarities how many had their best similarity in each bin, as many bins as the artifact's held-out histogram has
 * @param similaritySum the sum of the best similarities
 * @param spilled how many went to a decoder whose cluster was not the nearest
 * @param singletonBands how many had one decoder only within tau
 */
@Schema(
        requiredProperties = {
            "router",
            "sequence",
            "generation",
            "requests",
            "withoutSignature",
            "nearest",
            "similarities",
            "similaritySum",
            "spilled",
            "singletonBands"
        })
record ObservationPost(
        Optional<String> router,
        Optional<Long> sequence,
        Optional<Long> generation,
        Optional<Long> requests,
        Optional<Long> withoutSignature,
        Optional<List<@Nullable Long>> nearest,
        Optional<List<@Nullable Long>> similarities,
        Optional<Double> similaritySum,
        Optional<Long> spilled,
        Optional<Long> singletonBands) {
    private static final Pattern ROUTER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /** @throws InvalidInputException naming the field that is missing or out of its range */
    String checkedRouter() {
        String name = Fields.required("router", router);
        if (!ROUTER.matcher(name).matches()) {
            throw new InvalidInputException("router", "must be 1 to 100 letters, digits, dots, underscores or hyphens");
        }
        return name;
    }

    long checkedSequence() {
        return positive("sequence", sequence);
    }

    long checkedGeneration() {
        return positive("generation", generation);
    }

    ObservationWindow window() {
        return new ObservationWindow(
                Fields.required("requests", requests),
                Fields.required("withoutSignature", withoutSignature),
                counts("nearest", nearest),
                counts("similarities", similarities),
                Fields.required("similaritySum", similaritySum),
                Fields.required("spilled", spilled),
                Fields.required("singletonBands", singletonBands));
    }

    private static long positive(String field, Optional<Long> value) {
        long number = Fields.required(field, value);
        if (number < 1) {
            throw new InvalidInputException(field, "must be at least 1 but is " + number);
        }
        return number;
    }

    private static List<Long> counts(String field, Optional<List<@Nullable Long>> value) {
        return Fields.required(field, value).stream()
                .map(count -> Optional.ofNullable(count)
                        .orElseThrow(() -> new InvalidInputException(field, "must hold numbers only")))
                .toList();
    }
}
