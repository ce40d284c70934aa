package io.eldr.core.calibration;

import io.eldr.core.vector.Parallel;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Rho on each part of a split. The pairs follow from split and options, so that whatever is measured with the same is
 * measured over the same pairs.
 *
 * @param select the same as {@code fit} where nothing is held out, or too little that has decode counts
 * @param test absent where too little is held out
 */
record RhoGauges(RhoGauge fit, RhoGauge select, Optional<RhoGauge> test) {
    /** Absent where fewer than two fitted samples have decode counts. */
    static Optional<RhoGauges> over(SampleSplit split, CalibrationOptions options, Parallel parallel) {
        RandomGenerator random = new SplittableRandom(options.seed());
        Optional<RhoGauge> fit = RhoGauge.over(split.fit(), options.pairs(), random, parallel);
        if (fit.isEmpty()) {
            return Optional.empty();
        }
        RhoGauge select = split.select().equals(split.fit())
                ? fit.get()
                : RhoGauge.over(split.select(), options.pairs(), random, parallel)
                        .orElse(fit.get());
        return Optional.of(
                new RhoGauges(fit.get(), select, RhoGauge.over(split.test(), options.pairs(), random, parallel)));
    }
}
