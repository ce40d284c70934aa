package io.eldr.core.quality;

import io.eldr.core.vector.Interrupts;
import io.eldr.core.vector.Parallel;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The greedy search for the layers that make the best signature (ELDR paper): from the empty set, always add
 * the layer that gives the highest rho, through all L layers. The order is found on the fit requests; how many layers to
 * keep is read off the curve on the select requests. Of layers that do equally well the lowest is added; a layer that
 * leaves rho undefined does worse than any other.
 */
public final class GreedyLayerMask {
    private GreedyLayerMask() {}

    /** The search where the requests that give the order choose the number of layers too. */
    public static LayerSearch search(Rho rho, LayerProducts products, Parallel parallel) {
        return search(rho, products, rho, products, parallel);
    }

    /**
     * @param fitRho targets of the requests that give the order
     * @param fit products of the same pairs
     * @param selectRho targets of the requests that choose the number of layers
     * @param select products of the same pairs, of the same representation
     */
    public static LayerSearch search(
            Rho fitRho, LayerProducts fit, Rho selectRho, LayerProducts select, Parallel parallel) {
        if (fit.layers() != select.layers()) {
            throw new IllegalArgumentException("fit and select have different numbers of layers");
        }
        int layers = fit.layers();
        List<Cosines.Scratch> scratches = IntStream.range(0, parallel.lanes())
                .mapToObj(lane -> fitRho.scratchFor(fit))
                .toList();
        BitSet added = new BitSet(layers);
        int[] order = new int[layers];
        double[] fitCurve = new double[layers];
        Cosines cosines = new Cosines(fit);
        for (int step = 0; step < layers; step++) {
            int[] open = IntStream.range(0, layers)
                    .filter(layer -> !added.get(layer))
                    .toArray();
            double[] rho = new double[open.length];
            parallel.forEach(open.length, (lane, c) -> rho[c] = cosines.rhoWith(open[c], scratches.get(lane)));
            int best = firstMaximum(rho);
            order[step] = open[best];
            fitCurve[step] = rho[best];
            added.set(open[best]);
            cosines.add(open[best]);
        }
        boolean same = fit == select && fitRho == selectRho;
        return new LayerSearch(order, fitCurve, same ? fitCurve.clone() : curve(selectRho, select, order));
    }

    /** Rho after each step of an order. */
    private static double[] curve(Rho rho, LayerProducts products, int[] order) {
        Cosines.Scratch scratch = rho.scratchFor(products);
        Cosines cosines = new Cosines(products);
        double[] curve = new double[order.length];
        for (int step = 0; step < order.length; step++) {
            Interrupts.check();
            curve[step] = cosines.rhoWith(order[step], scratch);
            cosines.add(order[step]);
        }
        return curve;
    }

    /** The index of the first largest value; NaN is smaller than any other. */
    static int firstMaximum(double[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            if (values[i] > values[best] || (Double.isNaN(values[best]) && !Double.isNaN(values[i]))) {
                best = i;
            }
        }
        return best;
    }
}
