package io.eldr.router.observation;

import io.eldr.core.drift.DriftBaseline;
import io.eldr.core.drift.ObservationWindow;
import io.eldr.core.routing.Band;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.Evaluation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The open window of one pool under one activation generation, counted by whoever decides. Under an artifact with which
 * drift cannot be known it counts nothing.
 */
final class PoolWindows {
    private static final int NOTHING = -1;

    private final long generation;
    private final int clusters;
    private final int bins;
    private final int stripes;
    private final AtomicReference<WindowCounters> open;

    private PoolWindows(long generation, int clusters, int bins, int stripes) {
        this.generation = generation;
        this.clusters = clusters;
        this.bins = bins;
        this.stripes = stripes;
        this.open = new AtomicReference<>(fresh());
    }

    static PoolWindows of(long generation, DriftBaseline baseline, int stripes) {
        return new PoolWindows(generation, baseline.clusters(), baseline.bins(), stripes);
    }

    static PoolWindows ofNothing(long generation) {
        return new PoolWindows(generation, NOTHING, 0, 0);
    }

    long generation() {
        return generation;
    }

    /** Counts a decision that was made on this generation. Neither locks nor allocates. */
    void record(Decision.Chosen chosen) {
        if (clusters == NOTHING) {
            return;
        }
        Evaluation seen = chosen.evaluation();
        int nearest = nearest(seen);
        if (nearest < 0) {
            while (!open.get().countWithoutSignature()) {
                Thread.onSpinWait();
            }
            return;
        }
        double best = seen.similarity(nearest);
        boolean spilled = chosen.similarity().orElse(best) < best;
        boolean singleton =
                chosen.band().isPresent() && isSingleton(chosen.band().get());
        while (!open.get().count(nearest, best, spilled, singleton)) {
            Thread.onSpinWait();
        }
    }

    /** What was counted since the last time; empty if nothing was. */
    Optional<ObservationWindow> take() throws InterruptedException {
        if (clusters == NOTHING) {
            return Optional.empty();
        }
        ObservationWindow window = open.getAndSet(fresh()).close();
        return window.requests() == 0 ? Optional.empty() : Optional.of(window);
    }

    private WindowCounters fresh() {
        return new WindowCounters(Math.max(clusters, 0), bins, stripes);
    }

    /** The nearest of all clusters; -1 where the signature says nothing or there was none. */
    private int nearest(Evaluation seen) {
        if (seen.clusters() != clusters) {
            return -1;
        }
        int nearest = 0;
        boolean significant = false;
        for (int k = 0; k < clusters; k++) {
            significant |= seen.similarity(k) != 0;
            if (seen.similarity(k) > seen.similarity(nearest)) {
                nearest = k;
            }
        }
        return significant ? nearest : -1;
    }

    /** Whether one decoder only is within tau of the best, whatever the band was filled up with. */
    private static boolean isSingleton(Band band) {
        List<Band.Member> members = band.members();
        double best = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < members.size(); i++) {
            best = Math.max(best, members.get(i).similarity());
        }
        int within = 0;
        for (int i = 0; i < members.size(); i++) {
            if (members.get(i).similarity() >= best - band.tau()) {
                within++;
            }
        }
        return within == 1;
    }
}
