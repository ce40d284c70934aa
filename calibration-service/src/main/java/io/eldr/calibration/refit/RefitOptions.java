package io.eldr.calibration.refit;

import io.eldr.core.calibration.CalibrationOptions;
import io.eldr.core.calibration.MaskChoice;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.Representation;
import java.util.Optional;

/**
 * How to fit, in the form that a run carries: the same options make the same JSON.
 *
 * @param representation {@code auto} or a representation's id
 */
record RefitOptions(String representation, MaskSetting mask, long seed, PairsSetting pairs, double holdOut) {
    private static final String AUTO = "auto";
    private static final long DEFAULT_SEED = 1;

    /**
     * @param layers L of the pool's model
     * @throws InvalidInputException naming the option that is refused
     */
    static RefitOptions of(RefitRequest request, int layers) {
        String representation = request.representation().orElse(AUTO);
        RefitOptions options = new RefitOptions(
                representation.equals(AUTO)
                        ? AUTO
                        : Representation.of("representation", representation).id(),
                request.mask().orElse(MaskSetting.AUTO).normalized(layers),
                request.seed().orElse(DEFAULT_SEED),
                request.pairs().orElse(PairsSetting.DEFAULT),
                request.holdOut().orElse(CalibrationOptions.DEFAULT_HOLD_OUT));
        // Checks what the fit would refuse only later.
        options.calibration(1, layers);
        return options;
    }

    CalibrationOptions calibration(int clusters, int layers) {
        return new CalibrationOptions(
                clusters, chosenRepresentation(), mask.choice(layers), seed, pairs.choice(), holdOut);
    }

    /** Whether nothing is left that decode counts are needed to choose. */
    boolean needsNoDecodeCounts(int layers) {
        return chosenRepresentation().isPresent() && !(mask.choice(layers) instanceof MaskChoice.Auto);
    }

    /** Whether representation and mask are both left to the data. */
    boolean isAutomatic(int layers) {
        return chosenRepresentation().isEmpty() && mask.choice(layers) instanceof MaskChoice.Auto;
    }

    private Optional<Representation> chosenRepresentation() {
        return representation.equals(AUTO)
                ? Optional.empty()
                : Optional.of(Representation.of("representation", representation));
    }
}
