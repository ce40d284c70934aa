package io.eldr.router.worker;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What an engine says of its load, its data-parallel ranks taken together.
 *
 * @param running requests in its batches
 * @param waiting requests queued there
 * @param requestsByRank those of each data-parallel rank, in the order of their numbers; empty where it does not say
 * @param kvUse how full its KV cache is, 0 to 1; of the fullest rank
 * @param tokenTimes the times per output token of the requests that it finished since it started
 * @param stepExperts the experts of its decode steps since it started; empty for engines that do not count them
 */
public record EngineLoad(
        double running,
        double waiting,
        List<Integer> requestsByRank,
        OptionalDouble kvUse,
        Optional<TokenTimes> tokenTimes,
        Optional<StepExperts> stepExperts) {

    public EngineLoad {
        requestsByRank = List.copyOf(requestsByRank);
    }

    /** All requests there. */
    public int requests() {
        return (int) Math.round(running + waiting);
    }
}
