package io.eldr.simulator.study;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.simulator.cluster.ClusterSettings;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Mix;
import io.eldr.simulator.workload.MixDrift;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * What is to be compared: every policy, with every tau where it has a band, at every rate and every number of decoders, each
 * over all seeds.
 *
 * @param policies at least one; round robin is run beside them in any case, since changes are told against it
 * @param taus for the policies that have a band, at least one
 * @param decoders at least one number of decoders; each gets an artifact of its own
 * @param rates requests a second; empty: as the arrivals say
 * @param cluster everything else about the machines; its number of decoders does not count
 * @param arrivals when requests come
 * @param mix of labels
 * @param drift what the mix becomes; empty: it stays
 * @param requests how many come in each run, at least 10; the first fifth and the last tenth are not measured
 * @param seeds how many times everything is repeated, 1 to 100
 * @param firstSeed the others follow it
 */
public record StudyPlan(
        List<PolicyName> policies,
        List<TauChoice> taus,
        List<Integer> decoders,
        List<Double> rates,
        ClusterSettings cluster,
        Arrivals arrivals,
        Mix mix,
        Optional<MixDrift> drift,
        int requests,
        int seeds,
        long firstSeed) {
    public static final int DEFAULT_REQUESTS = 10_000;
    public static final int DEFAULT_SEEDS = 3;

    private static final int MIN_REQUESTS = 10;
    private static final int MAX_REQUESTS = 20_000_000;
    private static final int MAX_SEEDS = 100;

    /** @throws InvalidInputException naming what cannot be */
    public StudyPlan {
        policies = distinct("policies", policies);
        taus = distinct("tau", taus);
        decoders = distinct("decoders", decoders);
        rates = List.copyOf(rates);
        requireRange("requests", requests, MIN_REQUESTS, MAX_REQUESTS);
        requireRange("seeds", seeds, 1, MAX_SEEDS);
        for (int count : decoders) {
            cluster.withDecoders(count);
        }
        for (double rate : rates) {
            arrivals.at(rate);
        }
    }

    private static <T> List<T> distinct(String field, List<T> values) {
        if (values.isEmpty()) {
            throw new InvalidInputException(field, "must name at least one");
        }
        if (new HashSet<>(values).size() < values.size()) {
            throw new InvalidInputException(field, "names one twice: " + values);
        }
        return List.copyOf(values);
    }

    private static void requireRange(String field, int value, int min, int max) {
        if (value < min || value > max) {
            throw new InvalidInputException(field, "must be between " + min + " and " + max + " but is " + value);
        }
    }

    /** How many simulations it makes at most. */
    public int runs() {
        int policiesAndTaus = policies.size() + taus.size();
        return Math.max(1, rates.size()) * decoders.size() * seeds * policiesAndTaus;
    }

    /** The arrivals of each rate. */
    List<Arrivals> arrivalsByRate() {
        return rates.isEmpty()
                ? List.of(arrivals)
                : rates.stream().map(arrivals::at).toList();
    }
}
