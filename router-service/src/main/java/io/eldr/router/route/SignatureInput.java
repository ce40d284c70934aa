package io.eldr.router.route;

import io.eldr.core.signature.BlocksForm;
import io.eldr.core.signature.EldrForm;
import io.eldr.core.signature.EldrSigForm;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.NestedForm;
import io.eldr.core.signature.RoutedExpertsForm;
import io.eldr.core.signature.RoutedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Reads the expert counts of a request in whichever form they came. */
final class SignatureInput {
    private SignatureInput() {}

    /**
     * @param in the field that holds the form
     * @param tokens how many of the first rows count, where the form has one for each token; all where it is empty
     * @throws InvalidInputException naming the form at fault, or {@code in} if there is not exactly one
     */
    static ExpertCounts counts(String in, RouteRequest.SignatureBody body, OptionalInt tokens, Geometry geometry) {
        long forms = Stream.of(
                        body.eldr_sig(),
                        body.eldr(),
                        body.routed_experts(),
                        body.prompt_routed_experts(),
                        body.blocks())
                .filter(Objects::nonNull)
                .count();
        if (forms != 1) {
            throw new InvalidInputException(
                    in, "must have exactly one of eldr_sig, eldr, routed_experts, prompt_routed_experts, blocks");
        }
        String sig = body.eldr_sig();
        if (sig != null) {
            return EldrSigForm.read(in + ".eldr_sig", sig, geometry);
        }
        RouteRequest.EldrBody eldr = body.eldr();
        if (eldr != null) {
            return form(eldr).read(in + ".eldr", geometry);
        }
        String routed = body.routed_experts();
        if (routed != null) {
            String field = in + ".routed_experts";
            return first(field, RoutedExpertsForm.read(field, routed, geometry), tokens);
        }
        List<int[][]> nested = body.prompt_routed_experts();
        if (nested != null) {
            String field = in + ".prompt_routed_experts";
            return first(field, NestedForm.read(field, rows(field, nested), geometry), tokens);
        }
        return BlocksForm.read(in + ".blocks", blocks(in, RouteCommand.required(in, body.blocks())), geometry);
    }

    private static ExpertCounts first(String field, RoutedRows rows, OptionalInt tokens) {
        return tokens.isPresent() ? rows.firstTokens(field, tokens.getAsInt()) : rows.counts(0, rows.tokens());
    }

    /** JSON may hold null where a list belongs. */
    private static int[][][] rows(String field, List<int[][]> nested) {
        for (int token = 0; token < nested.size(); token++) {
            int[][] layers = RouteCommand.required(field + "[" + token + "]", nested.get(token));
            for (int layer = 0; layer < layers.length; layer++) {
                RouteCommand.required(field + "[" + token + "][" + layer + "]", layers[layer]);
            }
        }
        return nested.toArray(int[][][]::new);
    }

    private static EldrForm form(RouteRequest.EldrBody eldr) {
        return new EldrForm(
                Optional.ofNullable(eldr.v()),
                Optional.ofNullable(eldr.layers()),
                Optional.ofNullable(eldr.experts()),
                Optional.ofNullable(eldr.tokens()),
                Optional.ofNullable(eldr.dtype()),
                Optional.ofNullable(eldr.counts()));
    }

    private static List<BlocksForm.Block> blocks(String in, List<RouteRequest.BlockBody> bodies) {
        List<BlocksForm.Block> blocks = new ArrayList<>();
        for (int b = 0; b < bodies.size(); b++) {
            String field = in + ".blocks[" + b + "]";
            RouteRequest.BlockBody block = RouteCommand.required(field, bodies.get(b));
            blocks.add(new BlocksForm.Block(
                    RouteCommand.required(field + ".hash", block.hash()),
                    RouteCommand.required(field + ".counts", block.counts())));
        }
        return blocks;
    }
}
