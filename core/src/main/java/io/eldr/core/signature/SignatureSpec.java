package io.eldr.core.signature;

import java.util.Optional;

/**
 * How counts become a signature: {@code x = [c(l,.) * w(l,.)] for l in mask}, {@code s = x / max(|x|, 1e-9)} with one
 * norm over all layers (ELDR paper, section 4).
 *
 * @param layers L of the counts it takes
 * @param experts E of the counts it takes
 * @param idf present exactly for {@link Representation#COUNT_IDF}
 */
public record SignatureSpec(
        int layers, int experts, Representation representation, LayerMask mask, Optional<IdfWeights> idf) {
    /** Norms below this count as zero. */
    public static final double MIN_NORM = 1e-9;

    /** @throws InvalidInputException naming {@code mask} or {@code idf} */
    public SignatureSpec {
        if (mask.layer(mask.size() - 1) >= layers) {
            throw new InvalidInputException("mask", "names a layer that is not below " + layers);
        }
        if (idf.isPresent() != (representation == Representation.COUNT_IDF)) {
            throw new InvalidInputException(
                    "idf", (idf.isPresent() ? "must be absent for " : "is missing for ") + representation.id());
        }
        if (idf.isPresent() && (idf.get().layers() != layers || idf.get().experts() != experts)) {
            throw new InvalidInputException("idf", "must have shape [" + layers + ", " + experts + "]");
        }
    }

    public static SignatureSpec count(int layers, int experts, LayerMask mask) {
        return new SignatureSpec(layers, experts, Representation.COUNT, mask, Optional.empty());
    }

    public static SignatureSpec binary(int layers, int experts, LayerMask mask) {
        return new SignatureSpec(layers, experts, Representation.BINARY, mask, Optional.empty());
    }

    public static SignatureSpec countIdf(LayerMask mask, IdfWeights idf) {
        return new SignatureSpec(idf.layers(), idf.experts(), Representation.COUNT_IDF, mask, Optional.of(idf));
    }

    /** The same with other layers. */
    public SignatureSpec withMask(LayerMask newMask) {
        return new SignatureSpec(layers, experts, representation, newMask, idf);
    }

    /** The length of a signature: |mask| * E. */
    public int dimensions() {
        return mask.size() * experts;
    }

    /** The cell {@code layer * E + expert} that feeds dimension {@code d} of a signature. */
    public int cellOf(int dimension) {
        return mask.layer(dimension / experts) * experts + dimension % experts;
    }

    /** The value of a cell before normalisation: the count, clipped to 1 or weighted as the representation says. */
    public double value(int cell, int count) {
        return switch (representation) {
            case COUNT -> count;
            case COUNT_IDF -> count * (double) idf.orElseThrow().cell(cell);
            case BINARY -> count > 0 ? 1 : 0;
        };
    }

    /**
     * The signature of one request.
     *
     * @throws InvalidInputException if the counts have another shape than [L,E]
     */
    public Signature signatureOf(ExpertCounts counts) {
        float[] unit = new float[dimensions()];
        writeSignature(counts, unit);
        return new Signature(unit);
    }

    /**
     * Writes the values of {@link #signatureOf} to an array of as many elements as it has dimensions.
     *
     * @throws InvalidInputException if the counts have another shape than [L,E]
     */
    public void writeSignature(ExpertCounts counts, float[] target) {
        if (counts.layers() != layers || counts.experts() != experts) {
            throw new InvalidInputException(
                    "counts",
                    "have shape [" + counts.layers() + ", " + counts.experts() + "] instead of [" + layers + ", "
                            + experts + "]");
        }
        if (target.length != dimensions()) {
            throw new IllegalArgumentException(target.length + " values for " + dimensions() + " dimensions");
        }
        double square = 0;
        for (int i = 0; i < mask.size(); i++) {
            int base = mask.layer(i) * experts;
            for (int cell = base; cell < base + experts; cell++) {
                double x = value(cell, counts.cell(cell));
                square += x * x;
            }
        }
        double norm = Math.sqrt(square);
        boolean zero = !(norm > MIN_NORM);
        for (int i = 0, d = 0; i < mask.size(); i++) {
            int base = mask.layer(i) * experts;
            for (int cell = base; cell < base + experts; cell++, d++) {
                target[d] = zero ? 0 : (float) (value(cell, counts.cell(cell)) / norm);
            }
        }
    }
}
