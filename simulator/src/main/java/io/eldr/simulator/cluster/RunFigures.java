package io.eldr.simulator.cluster;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one run showed.
 *
 * @param tpotMs time per output token after the first, by request
 * @param ttftMs time to the first token, by request
 * @param meanUnion distinct experts in a layer of the step that made a token, on the busiest rank where there are several:
 *     the mean over tokens, so that steps of an idle decoder, which are many and short, count little
 * @param meanBatch requests in a step
 * @param meanStepMs how long a step took
 * @param meanBand decoders in the band of a decision; empty where the policy has none
 * @param spill the share of decisions that did not take the nearest; empty where the policy has no band
 * @param maxOverMeanLoad what the most loaded decoder has of the mean load, averaged over decisions
 * @param shares of the requests that each decoder got
 * @param measured how many requests these figures are of
 * @param restarted how many of them lost their decoder
 * @param seconds how much time passed in the simulation
 * @param unstable why there is no balance, so that the figures mean nothing; empty if there is
 */
public record RunFigures(
        Percentiles tpotMs,
        Percentiles ttftMs,
        double meanUnion,
        double meanBatch,
        double meanStepMs,
        OptionalDouble meanBand,
        OptionalDouble spill,
        double maxOverMeanLoad,
        List<Double> shares,
        int measured,
        int restarted,
        double seconds,
        Optional<String> unstable) {
    public RunFigures {
        shares = List.copyOf(shares);
    }
}
