package io.eldr.core.quality;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.vector.Interrupts;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How alike prefill and decode use the experts: Pearson's correlation over all L*E cells between the counts summed over
 * all prompts and those summed over everything decoded (ELDR paper). A long request therefore weighs more.
 */
public final class PrefillDecodeCorrelation {
    private PrefillDecodeCorrelation() {}

    /**
     * @return absent where there are no requests, or where one phase uses all experts alike
     * @throws InvalidInputException naming {@code counts} if the shapes differ
     */
    public static OptionalDouble pooled(List<ExpertCounts> prefill, List<ExpertCounts> decoded) {
        if (prefill.isEmpty() || decoded.isEmpty()) {
            return OptionalDouble.empty();
        }
        return pearson(sum(prefill, prefill.getFirst()), sum(decoded, prefill.getFirst()));
    }

    private static double[] sum(List<ExpertCounts> requests, ExpertCounts shape) {
        double[] sums = new double[shape.size()];
        for (ExpertCounts counts : requests) {
            Interrupts.check();
            if (counts.layers() != shape.layers() || counts.experts() != shape.experts()) {
                throw new InvalidInputException("counts", "have different shapes");
            }
            for (int cell = 0; cell < sums.length; cell++) {
                sums[cell] += counts.cell(cell);
            }
        }
        return sums;
    }

    private static OptionalDouble pearson(double[] x, double[] y) {
        double xMean = mean(x);
        double yMean = mean(y);
        double products = 0;
        double xSquares = 0;
        double ySquares = 0;
        for (int i = 0; i < x.length; i++) {
            double dx = x[i] - xMean;
            double dy = y[i] - yMean;
            products += dx * dy;
            xSquares += dx * dx;
            ySquares += dy * dy;
        }
        double scale = Math.sqrt(xSquares) * Math.sqrt(ySquares);
        return scale == 0 ? OptionalDouble.empty() : OptionalDouble.of(products / scale);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
