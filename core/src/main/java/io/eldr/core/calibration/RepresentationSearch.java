package io.eldr.core.calibration;

import io.eldr.core.quality.LayerProducts;
import io.eldr.core.quality.LayerSearch;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.IdfWeights;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Representation;
import io.eldr.core.signature.SignatureSpec;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Gives every representation its mask and its rho, so that rho can choose (ELDR paper, section 4; docs/adr/0002 says why
 * no representation is taken for granted): IDF and greedy order from the fit samples, the mask's length and every
 * comparison from the select samples, a last figure from the test samples.
 */
final class RepresentationSearch {
    private final MaskChoice maskChoice;
    private final RhoGauge fit;
    private final RhoGauge select;
    private final Optional<RhoGauge> test;
    private final int layers;

    RepresentationSearch(MaskChoice maskChoice, int layers, RhoGauge fit, RhoGauge select, Optional<RhoGauge> test) {
        this.maskChoice = maskChoice;
        this.layers = layers;
        this.fit = fit;
        this.select = select;
        this.test = test;
    }

    /** The spec of a representation with all layers. */
    static SignatureSpec unmasked(Representation representation, int layers, int experts, List<ExpertCounts> fitted) {
        LayerMask all = LayerMask.all(layers);
        return switch (representation) {
            case COUNT -> SignatureSpec.count(layers, experts, all);
            case BINARY -> SignatureSpec.binary(layers, experts, all);
            case COUNT_IDF -> SignatureSpec.countIdf(all, IdfWeights.fit(layers, experts, fitted));
        };
    }

    /** Finds the mask of one representation. */
    MaskedRepresentation measure(SignatureSpec unmasked) {
        LayerProducts fitProducts = fit.products(unmasked);
        LayerProducts selectProducts = select == fit ? fitProducts : select.products(unmasked);
        return switch (maskChoice) {
            case MaskChoice.All() ->
                measured(unmasked, unmasked.mask(), fitProducts, selectProducts, List.of(), List.of());
            case MaskChoice.Given(LayerMask mask) ->
                measured(unmasked, mask, fitProducts, selectProducts, List.of(), List.of());
            case MaskChoice.Auto() -> {
                LayerSearch search = fit.search(fitProducts, select, selectProducts);
                LayerMask mask = search.bestMask().orElse(LayerMask.all(layers));
                yield measured(
                        unmasked,
                        mask,
                        fitProducts,
                        selectProducts,
                        Arrays.stream(search.order()).boxed().toList(),
                        Arrays.stream(search.selectCurve()).boxed().toList());
            }
        };
    }

    /** The one with the highest rho on select; the first of several. A rho that is undefined is below all others. */
    static MaskedRepresentation best(List<MaskedRepresentation> candidates) {
        return candidates.stream()
                .max(Comparator.comparingDouble((MaskedRepresentation candidate) ->
                                candidate.selectRho().orElse(-2))
                        .thenComparing(candidate -> candidate.spec().representation(), Comparator.reverseOrder()))
                .orElseThrow();
    }

    private MaskedRepresentation measured(
            SignatureSpec unmasked,
            LayerMask mask,
            LayerProducts fitProducts,
            LayerProducts selectProducts,
            List<Integer> order,
            List<Double> curve) {
        OptionalDouble heldOut =
                test.map(gauge -> gauge.of(gauge.products(unmasked), mask)).orElse(OptionalDouble.empty());
        return new MaskedRepresentation(
                unmasked.withMask(mask),
                order,
                curve,
                select.of(selectProducts, mask),
                new CalibrationReport.RhoFigures(fit.of(fitProducts, mask), heldOut));
    }
}
