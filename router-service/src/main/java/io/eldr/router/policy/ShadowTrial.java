package io.eldr.router.policy;

import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.ShadowRule;
import java.time.Instant;

/**
 * What a shadow was found to do in comparison with a live policy, since a moment. Added to by one thread, read by any.
 *
 * @param pool by its number: one that was made anew under the same name is another
 * @param compared how many decisions had similarities to compare
 * @param priced how many had prices to compare
 */
record ShadowTrial(
        long pool,
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

    static ShadowTrial begin(long pool, PolicyName live, ShadowRule rule, Instant now) {
        return new ShadowTrial(pool, live, rule, now, 0, 0, 0, 0, 0, 0, 0);
    }

    boolean isOf(long anyPool, PolicyName livePolicy, ShadowRule shadow) {
        return pool == anyPool && live == livePolicy && rule.equals(shadow);
    }

    ShadowTrial plus(ShadowChoice choice) {
        return new ShadowTrial(
                pool,
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
