package io.eldr.admin.live;

import io.eldr.admin.live.LiveState.PoolState;
import io.eldr.admin.live.Overview.PoolHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How some figures of each pool went in the last quarter of an hour, so that a page that is opened has lines to show. */
final class History {
    static final Duration STEP = Duration.ofSeconds(3);

    private static final int KEPT = 300;
    private static final int FIGURES = 5;

    private final Map<String, Track> tracks = new TreeMap<>();
    private Instant next = Instant.MIN;

    /** A ring of readings. */
    private static final class Track {
        private final long[] at = new long[KEPT];
        private final double[][] figures = new double[FIGURES][KEPT];
        private int count;

        void add(Instant time, double... values) {
            int place = count++ % KEPT;
            at[place] = time.getEpochSecond();
            for (int figure = 0; figure < FIGURES; figure++) {
                figures[figure][place] = values[figure];
            }
        }

        List<Long> times() {
            List<Long> times = new ArrayList<>();
            for (int i = Math.max(0, count - KEPT); i < count; i++) {
                times.add(at[i % KEPT]);
            }
            return times;
        }

        List<@Nullable Double> figure(int figure) {
            List<@Nullable Double> values = new ArrayList<>();
            for (int i = Math.max(0, count - KEPT); i < count; i++) {
                double value = figures[figure][i % KEPT];
                values.add(Double.isNaN(value) ? null : value);
            }
            return values;
        }
    }

    /** Takes a state in where the last one is long enough ago. */
    synchronized void add(LiveState state) {
        if (state.at().isBefore(next)) {
            return;
        }
        next = state.at().plus(STEP);
        tracks.keySet().retainAll(state.pools().stream().map(PoolState::name).toList());
        for (PoolState pool : state.pools()) {
            if (!pool.health().stale()) {
                tracks.computeIfAbsent(pool.name(), _ -> new Track())
                        .add(
                                state.at(),
                                orNaN(pool.tpotP50Ms().isPresent() ? pool.tpotP50Ms() : pool.tpotMs()),
                                orNaN(pool.tpotP99Ms()),
                                orNaN(pool.activeExperts()),
                                orNaN(pool.decisionsPerSecond()),
                                orNaN(pool.spillRate()));
            }
        }
    }

    private static double orNaN(OptionalDouble value) {
        return value.orElse(Double.NaN);
    }

    synchronized List<PoolHistory> all() {
        return tracks.entrySet().stream()
                .map(entry -> {
                    Track track = entry.getValue();
                    return new PoolHistory(
                            entry.getKey(),
                            track.times(),
                            track.figure(0),
                            track.figure(1),
                            track.figure(2),
                            track.figure(3),
                            track.figure(4));
                })
                .toList();
    }
}
