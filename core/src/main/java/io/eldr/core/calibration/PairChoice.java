package io.eldr.core.calibration;

import io.eldr.core.signature.InvalidInputException;

/** Over which pairs of requests rho is taken. */
public sealed interface PairChoice {
    /** The authors' number of random pairs (ELDR paper, section 4). */
    PairChoice DEFAULT = new Random(30_000);

    /** Every pair of different requests. */
    record All() implements PairChoice {
        @Override
        public String toString() {
            return "all";
        }
    }

    /** So many random pairs, or all where there are fewer. */
    record Random(int count) implements PairChoice {
        private static final int MAX = 10_000_000;

        public Random {
            if (count < 2 || count > MAX) {
                throw new InvalidInputException("pairs", "must be between 2 and " + MAX + " but is " + count);
            }
        }

        @Override
        public String toString() {
            return Integer.toString(count);
        }
    }

    /** @throws InvalidInputException naming {@code pairs} */
    static PairChoice parse(String text) {
        if (text.equals("all")) {
            return new All();
        }
        if (!text.matches("[0-9]{1,9}")) {
            throw new InvalidInputException("pairs", "must be a number or all but is '" + text + "'");
        }
        return new Random(Integer.parseInt(text));
    }
}
