package io.eldr.core.quality;

/** The cosines of all pairs over a set of layers that grows one by one, as sums of {@link LayerProducts}. */
final class Cosines {
    private final LayerProducts products;
    /** [pair], over the layers added. */
    private final double[] dots;
    /** [request], over the layers added. */
    private final double[] squares;

    Cosines(LayerProducts products) {
        this.products = products;
        this.dots = new double[products.pairs().count()];
        this.squares = new double[products.pairs().requests()];
    }

    /** What one thread needs for {@link #rhoWith}. */
    static final class Scratch {
        private final double[] inverseNorms;
        private final RankCorrelator correlator;

        Scratch(int requests, RankCorrelator correlator) {
            this.inverseNorms = new double[requests];
            this.correlator = correlator;
        }
    }

    void add(int layer) {
        addTo(dots, products.dots(layer));
        addTo(squares, products.squares(layer));
    }

    /** Rho over the layers added and one more, which is not added; NaN where it is undefined. */
    double rhoWith(int layer, Scratch scratch) {
        double[] inverseNorms = scratch.inverseNorms;
        double[] layerSquares = products.squares(layer);
        for (int r = 0; r < inverseNorms.length; r++) {
            inverseNorms[r] = squares[r] + layerSquares[r];
        }
        invertNorms(inverseNorms, inverseNorms);
        RequestPairs pairs = products.pairs();
        double[] layerDots = products.dots(layer);
        for (int p = 0; p < dots.length; p++) {
            double cosine = (dots[p] + layerDots[p]) * inverseNorms[pairs.first(p)] * inverseNorms[pairs.second(p)];
            scratch.correlator.set(p, (float) cosine);
        }
        return scratch.correlator.correlation();
    }

    /** 1 over the length for squared lengths, and 0 for a zero vector; both arrays may be the same. */
    static void invertNorms(double[] squares, double[] inverseNorms) {
        for (int r = 0; r < squares.length; r++) {
            inverseNorms[r] = squares[r] > 0 ? 1 / Math.sqrt(squares[r]) : 0;
        }
    }

    private static void addTo(double[] sums, double[] values) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += values[i];
        }
    }
}
