package io.eldr.router.policy;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.ShadowRule;
import java.time.Instant;

/**
 * What a shadow was found to do in comparison with a live policy, since a moment. Added to by one thread, read by any.
 *
 * @param compared how many decisions had similarities to compare
 * @param priced how many had prices to compare
 */
record ShadowTrial(
        PolicyName live,
        ShadowRule rule,
        Instant since,
        long decisions,
        long agreed,
        long compared,
        double similarityDifferences,
        long priced,
        double priceDifferences,
        double loadDifferences) {

    static ShadowTrial begin(PolicyName live, ShadowRule rule, Instant now) {
        return new ShadowTrial(live, rule, now, 0, 0, 0, 0, 0, 0, 0);
    }

    boolean isOf(PolicyName livePolicy, ShadowRule shadow) {
        return live == livePolicy && rule.equals(shadow);
    }

    ShadowTrial plus(ShadowChoice choice) {
        return new ShadowTrial(
                live,
                rule,
                since,
                decisions + 1,
                agreed + (choice.agrees() ? 1 : 0),
                compared + (choice.similarityDifference().isPresent() ? 1 : 0),
                similarityDifferences + choice.similarityDifference().orElse(0),
                priced + (choice.priceDifference().isPresent() ? 1 : 0),
                priceDifferences + choice.priceDifference().orElse(0),
                loadDifferences + choice.loadDifference());
    }

    /** NaN before the first decision, as the means are. */
    double agreement() {
        return (double) agreed / decisions;
    }

    double meanSimilarityDifference() {
        return similarityDifferences / compared;
    }

    double meanPriceDifference() {
        return priceDifferences / priced;
    }

    double meanLoadDifference() {
        return loadDifferences / decisions;
    }
}
