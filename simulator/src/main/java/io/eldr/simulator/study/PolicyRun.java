package io.eldr.simulator.study;

import io.eldr.core.routing.PolicyName;
import io.eldr.simulator.cluster.RunFigures;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * One policy under one load, over all seeds.
 *
 * @param rate requests a second
 * @param tauChoice empty where the policy has no band
 * @param tau the mean width of the band over seeds; empty where the policy has no band
 * @param bySeed the figures of each seed; empty where the rate is so far over capacity that nothing was run
 * @param unstable why the figures mean nothing; empty where they do
 * @param vsRoundRobin the change against round robin on the same requests; empty where one of the two is unstable
 * @param vsBestLoadBalancer the change against the best of the load balancers that were run, each figure by its own best
 */
public record PolicyRun(
        PolicyName policy,
        double rate,
        Optional<TauChoice> tauChoice,
        OptionalDouble tau,
        int decoders,
        List<RunFigures> bySeed,
        Optional<String> unstable,
        Optional<Comparison> vsRoundRobin,
        Optional<Comparison> vsBestLoadBalancer) {
    public PolicyRun {
        bySeed = List.copyOf(bySeed);
    }

    /** Changes of TPOT in percent, paired by seed; below 0 is faster. */
    public record Comparison(Interval p50, Interval p95, Interval p99) {}

    /** A figure over the seeds; of a run that is stable. */
    public Interval over(ToDoubleFunction<RunFigures> figure) {
        return Interval.of(bySeed.stream().map(figure::applyAsDouble).toList());
    }

    PolicyRun compared(Optional<Comparison> roundRobin, Optional<Comparison> bestLoadBalancer) {
        return new PolicyRun(policy, rate, tauChoice, tau, decoders, bySeed, unstable, roundRobin, bestLoadBalancer);
    }
}
