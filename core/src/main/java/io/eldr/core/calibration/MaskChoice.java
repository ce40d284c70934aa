package io.eldr.core.calibration;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.signature.LayerMask;
import java.util.Arrays;

/** Which layers a fit uses: found by greedy search, all, or given. */
public sealed interface MaskChoice {
    /** Forward greedy search by rho (ELDR paper, section 4). */
    record Auto() implements MaskChoice {
        @Override
        public String toString() {
            return "auto";
        }
    }

    /** Every layer. */
    record All() implements MaskChoice {
        @Override
        public String toString() {
            return "all";
        }
    }

    /** These layers. */
    record Given(LayerMask mask) implements MaskChoice {
        @Override
        public String toString() {
            return Arrays.toString(mask.toArray()).replaceAll("[\\[\\] ]", "");
        }
    }

    /**
     * Parses {@code auto}, {@code all} or layers like {@code 0,3,5}.
     *
     * @param layerCount L of the model
     * @throws InvalidInputException naming {@code mask}
     */
    static MaskChoice parse(String text, int layerCount) {
        return switch (text) {
            case "auto" -> new Auto();
            case "all" -> new All();
            default -> {
                if (!text.matches("[0-9]{1,6}(,[0-9]{1,6})*")) {
                    throw new InvalidInputException(
                            "mask", "must be auto, all or layers like 0,3,5 but is '" + text + "'");
                }
                int[] layers = Arrays.stream(text.split(",", -1))
                        .mapToInt(Integer::parseInt)
                        .toArray();
                yield new Given(LayerMask.ofUnordered(layerCount, layers));
            }
        };
    }
}
