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
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Gives every representation its mask and its rho, so that rho can choose (ELDR paper, section 4; docs/adr/0002 says why
 * no representation is taken for granted): IDF and greedy order from the fit samples, the mask's length and every
 * comparison from the select samples, a last figure from the test samples.
 */
final class RepresentationSearch {
    private final MaskChoice maskChoice;
    private final int layers;
    private final RhoGauges gauges;

    RepresentationSearch(MaskChoice maskChoice, int layers, RhoGauges gauges) {
        this.maskChoice = maskChoice;
        this.layers = layers;
        this.gauges = gauges;
    }

    /**
     * The mask of one representation and what rho is with it.
     *
     * @param order greedy; empty where the mask was given
     * @param curve rho on select after each step of the order, NaN where undefined
     */
    record Found(
            LayerMask mask,
            List<Integer> order,
            List<Double> curve,
            OptionalDouble selectRho,
            CalibrationReport.RhoFigures figures) {
        Found {
            order = List.copyOf(order);
            curve = List.copyOf(curve);
        }
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
        Found found = measure(gauge -> gauge.products(unmasked));
        return new MaskedRepresentation(
                unmasked.withMask(found.mask()), found.order(), found.curve(), found.selectRho(), found.figures());
    }

    /** @param products of the representation, for the requests of a gauge */
    Found measure(Function<RhoGauge, LayerProducts> products) {
        LayerProducts fit = products.apply(gauges.fit());
        LayerProducts select = gauges.select() == gauges.fit() ? fit : products.apply(gauges.select());
        return switch (maskChoice) {
            case MaskChoice.All() -> found(LayerMask.all(layers), products, fit, select, List.of(), List.of());
            case MaskChoice.Given(LayerMask mask) -> found(mask, products, fit, select, List.of(), List.of());
            case MaskChoice.Auto() -> {
                LayerSearch search = gauges.fit().search(fit, gauges.select(), select);
                yield found(
                        search.bestMask().orElse(LayerMask.all(layers)),
                        products,
                        fit,
                        select,
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

    private Found found(
            LayerMask mask,
            Function<RhoGauge, LayerProducts> products,
            LayerProducts fit,
            LayerProducts select,
            List<Integer> order,
            List<Double> curve) {
        OptionalDouble heldOut = gauges.test()
                .map(gauge -> gauge.of(products.apply(gauge), mask))
                .orElse(OptionalDouble.empty());
        return new Found(
                mask,
                order,
                curve,
                gauges.select().of(select, mask),
                new CalibrationReport.RhoFigures(gauges.fit().of(fit, mask), heldOut));
    }
}
