package io.eldr.simulator.workload;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.ArrivalTrace;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** When requests come and how long they are. */
public sealed interface Arrivals {
    int MAX_TOKENS = 1_000_000;
    double MAX_RATE = 1e6;

    /** What a report calls it. */
    String name();

    /** Requests a second. */
    double rate();

    /** The same with another rate. */
    Arrivals at(double rate);

    /**
     * At random.
     *
     * @param rate requests a second, above 0
     * @param promptTokens the length of each prompt; empty: as recorded
     * @param outputTokens the length of each answer
     */
    record Poisson(double rate, OptionalInt promptTokens, int outputTokens) implements Arrivals {
        public Poisson {
            requireRate(rate);
            requireTokens("outputTokens", outputTokens);
            promptTokens.ifPresent(tokens -> requireTokens("promptTokens", tokens));
        }

        @Override
        public String name() {
            return "poisson";
        }

        @Override
        public Arrivals at(double other) {
            return new Poisson(other, promptTokens, outputTokens);
        }
    }

    /**
     * As recorded, again and again, faster or slower.
     *
     * @param scaledTo requests a second; empty: as recorded
     */
    record Recorded(String name, ArrivalTrace trace, OptionalDouble scaledTo) implements Arrivals {
        public Recorded {
            scaledTo.ifPresent(Arrivals::requireRate);
        }

        @Override
        public double rate() {
            return scaledTo.orElse(trace.rate());
        }

        @Override
        public Arrivals at(double other) {
            return new Recorded(name, trace, OptionalDouble.of(other));
        }
    }

    private static void requireRate(double rate) {
        if (!(rate > 0 && rate <= MAX_RATE)) {
            throw new InvalidInputException(
                    "rate", "must be above 0 and at most " + MAX_RATE + " requests a second but is " + rate);
        }
    }

    private static void requireTokens(String field, int tokens) {
        if (tokens < 1 || tokens > MAX_TOKENS) {
            throw new InvalidInputException(field, "must be between 1 and " + MAX_TOKENS + " but is " + tokens);
        }
    }
}
