package io.eldr.core.routing;

import io.eldr.core.signature.ExpertCounts;
import java.util.Optional;
import java.util.Set;

/**
 * What a decision knows of a request.
 *
 * @param counts the expert counts of its prompt, where known
 * @param label its domain, where the client names one
 * @param candidates the only decoders it may go to, by slot; empty for any
 * @param exclude decoders it must not go to, by slot
 * @param use what it is expected to use while it is decoded, where that was worked out already
 */
public record DecisionRequest(
        Optional<ExpertCounts> counts,
        Optional<String> label,
        Optional<Set<String>> candidates,
        Set<String> exclude,
        Optional<UsePrediction> use) {
    public DecisionRequest {
        candidates = candidates.map(Set::copyOf);
        exclude = Set.copyOf(exclude);
    }

    /** A request of which nothing was worked out yet. */
    public DecisionRequest(
            Optional<ExpertCounts> counts,
            Optional<String> label,
            Optional<Set<String>> candidates,
            Set<String> exclude) {
        this(counts, label, candidates, exclude, Optional.empty());
    }

    /** A request that may go anywhere, with its counts. */
    public static DecisionRequest of(ExpertCounts counts) {
        return new DecisionRequest(Optional.of(counts), Optional.empty(), Optional.empty(), Set.of());
    }

    /** A request that may go anywhere and of which nothing is known. */
    public static DecisionRequest unknown() {
        return new DecisionRequest(Optional.empty(), Optional.empty(), Optional.empty(), Set.of());
    }

    public DecisionRequest onlyTo(Set<String> slots) {
        return new DecisionRequest(counts, label, Optional.of(slots), exclude, use);
    }

    public DecisionRequest notTo(Set<String> slots) {
        return new DecisionRequest(counts, label, candidates, slots, use);
    }

    /** The same with what a pool's artifact expects it to use; as it is where that is known or the pool does not ask. */
    public DecisionRequest forecastBy(PoolSnapshot snapshot) {
        return use.isPresent() || counts.isEmpty() || snapshot.forecast().isEmpty()
                ? this
                : expecting(snapshot.forecast().get().predict(counts.get()));
    }

    /** The same with what it is expected to use. */
    public DecisionRequest expecting(Optional<UsePrediction> expected) {
        return new DecisionRequest(counts, label, candidates, exclude, expected);
    }

    boolean allows(String slot) {
        return (candidates.isEmpty() || candidates.get().contains(slot)) && !exclude.contains(slot);
    }
}
