package io.eldr.router.observation;

import io.eldr.core.drift.DriftBaseline;
import io.eldr.core.drift.ObservationWindow;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.Reason;
import io.eldr.router.artifact.LoadedArtifact;
import io.eldr.router.pool.ServedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts, beside the decisions, how requests lie among the clusters of the artifact that serves. Only policies that ask for
 * similarities are seen.
 */
public final class Observations {
    private final boolean wanted;
    private final int stripes;
    private final Map<String, PoolWindows> pools = new ConcurrentHashMap<>();

    /**
     * @param wanted whether anybody takes what is counted
     * @param threads how many threads decide at once
     */
    public Observations(boolean wanted, int threads) {
        this.wanted = wanted;
        this.stripes = Integer.highestOneBit(Math.max(threads, 1) * 2 - 1);
    }

    /** What a pool's requests were like under a generation since the last time. */
    record Taken(String pool, long generation, ObservationWindow window) {}

    /**
     * Counts a decision that took effect. Neither locks nor allocates, but for the first one of a generation.
     *
     * @param state what it was made on
     */
    public void record(Decision.Chosen chosen, ServedState state) {
        if (!wanted || !measures(chosen)) {
            return;
        }
        String pool = chosen.version().pool();
        long generation = chosen.version().generation();
        PoolWindows windows = pools.get(pool);
        if (windows == null || windows.generation() < generation) {
            windows = pools.compute(
                    pool,
                    (name, before) ->
                            before == null || before.generation() < generation ? of(generation, state) : before);
        }
        if (windows.generation() == generation) {
            windows.record(chosen);
        }
    }

    private static boolean measures(Decision.Chosen chosen) {
        return chosen.evaluation().clusters() > 0
                || chosen.reason() == Reason.NO_SIGNATURE
                || chosen.reason() == Reason.INCOMPATIBLE_SIGNATURE;
    }

    private PoolWindows of(long generation, ServedState state) {
        return state.artifact()
                .map(LoadedArtifact::artifact)
                .flatMap(DriftBaseline::of)
                .map(baseline -> PoolWindows.of(generation, baseline, stripes))
                .orElseGet(() -> PoolWindows.ofNothing(generation));
    }

    /** Takes out what was counted; pools that are not served any more are forgotten. */
    List<Taken> take(Set<String> served) throws InterruptedException {
        pools.keySet().retainAll(served);
        List<Taken> taken = new ArrayList<>();
        for (String pool : served) {
            @Nullable PoolWindows windows = pools.get(pool);
            if (windows != null) {
                windows.take().ifPresent(window -> taken.add(new Taken(pool, windows.generation(), window)));
            }
        }
        return taken;
    }
}
