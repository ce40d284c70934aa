package io.eldr.core.quality;

import io.eldr.core.signature.LayerMask;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What a greedy search over L layers found: their order, and rho after 1 to L of them. */
public final class LayerSearch {
    private final int[] order;
    /** NaN where rho is undefined. */
    private final double[] fit;

    private final double[] select;

    LayerSearch(int[] order, double[] fit, double[] select) {
        this.order = order;
        this.fit = fit;
        this.select = select;
    }

    /** The layers in the order in which they were added, all L. */
    public int[] order() {
        return order.clone();
    }

    /** Rho on the fit requests after the first {@code layers} layers, 1 to L; absent where undefined. */
    public OptionalDouble fitRho(int layers) {
        return optional(fit[layers - 1]);
    }

    /** Rho on the select requests after the first {@code layers} layers, 1 to L; absent where undefined. */
    public OptionalDouble selectRho(int layers) {
        return optional(select[layers - 1]);
    }

    /** {@link #selectRho} after 1 to L layers; NaN where undefined. */
    public double[] selectCurve() {
        return select.clone();
    }

    /** N*: how many layers give the highest rho on select, the fewest of several; absent if rho is undefined throughout. */
    public OptionalInt bestSize() {
        int best = GreedyLayerMask.firstMaximum(select);
        return Double.isNaN(select[best]) ? OptionalInt.empty() : OptionalInt.of(best + 1);
    }

    /** The first N* layers; absent if rho is undefined throughout. */
    public Optional<LayerMask> bestMask() {
        OptionalInt size = bestSize();
        return size.isEmpty()
                ? Optional.empty()
                : Optional.of(LayerMask.ofUnordered(order.length, Arrays.copyOf(order, size.getAsInt())));
    }

    private static OptionalDouble optional(double rho) {
        return Double.isNaN(rho) ? OptionalDouble.empty() : OptionalDouble.of(rho);
    }
}
