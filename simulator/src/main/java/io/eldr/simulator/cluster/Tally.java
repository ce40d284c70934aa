package io.eldr.simulator.cluster;

import io.eldr.core.routing.Band;
import io.eldr.core.routing.Decision;
import io.eldr.core.signature.Geometry;
import io.eldr.simulator.workload.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Counts what a run does. Only the middle of it is measured: the first fifth of the requests fills the pool, and the last
 * tenth keeps it full while those before are decoded.
 */
final class Tally {
    private static final double MEASURED_FROM = 0.2;
    private static final double MEASURED_TO = 0.9;
    private static final double MILLIS = 1e3;

    private final Workload workload;
    private final Geometry geometry;
    private final int from;
    private final int to;
    private final double fromSeconds;
    private final double toSeconds;
    private final double[] tpot;
    private final double[] ttft;
    private int tpots;
    private int ttfts;
    private int finished;
    private int restarted;

    private long steps;
    private double stepSeconds;
    private long batches;
    /** Each step's union counts for each of its requests. */
    private long unions;

    private long[] placed;
    private long decisions;
    private double maxOverMean;
    private long bands;
    private long bandMembers;
    private long spilled;

    private final Backlog backlog;

    Tally(Workload workload, Geometry geometry, int decoders) {
        this.workload = workload;
        this.geometry = geometry;
        this.from = (int) (workload.size() * MEASURED_FROM);
        this.to = Math.max(from + 1, (int) (workload.size() * MEASURED_TO));
        this.fromSeconds = workload.seconds(from);
        this.toSeconds = workload.seconds(to - 1);
        this.tpot = new double[to - from];
        this.ttft = new double[to - from];
        this.placed = new long[decoders];
        this.backlog = new Backlog(workload.size());
    }

    /** How many requests are not done yet, those that are still to come included. */
    int left() {
        return workload.size() - finished;
    }

    private boolean isMeasured(int request) {
        return request >= from && request < to;
    }

    void arrived(int request, int waiting) {
        backlog.arrived(request, request + 1 - finished, waiting);
    }

    void placed(int request, Placement placement, List<DecodeWorker> decoders) {
        if (!isMeasured(request)) {
            return;
        }
        if (placement.worker() >= placed.length) {
            placed = Arrays.copyOf(placed, decoders.size());
        }
        placed[placement.worker()]++;
        decisions++;
        maxOverMean += maxOverMean(decoders);
        Optional<Band> band = placement.decision().band();
        if (band.isPresent()) {
            bands++;
            bandMembers += band.get().members().size();
            if (isSpilled(placement.decision())) {
                spilled++;
            }
        }
    }

    /** Whether another cluster than the chosen decoder's was nearer. */
    private static boolean isSpilled(Decision.Chosen chosen) {
        double similarity = chosen.similarity().orElse(1);
        for (int k = 0; k < chosen.evaluation().clusters(); k++) {
            if (chosen.evaluation().similarity(k) > similarity) {
                return true;
            }
        }
        return false;
    }

    private static double maxOverMean(List<DecodeWorker> decoders) {
        int max = 0;
        int sum = 0;
        int alive = 0;
        for (DecodeWorker decoder : decoders) {
            if (decoder.isAlive()) {
                int inFlight = decoder.inFlight();
                max = Math.max(max, inFlight);
                sum += inFlight;
                alive++;
            }
        }
        return (double) max * alive / Math.max(1, sum);
    }

    void stepped(double now, double seconds, int batch, int union) {
        if (now >= fromSeconds && now <= toSeconds) {
            steps++;
            stepSeconds += seconds;
            batches += batch;
            unions += (long) union * batch;
        }
    }

    void restarted(int request) {
        if (isMeasured(request)) {
            restarted++;
        }
    }

    void finished(Flight flight, double now) {
        finished++;
        if (!isMeasured(flight.request)) {
            return;
        }
        ttft[ttfts++] = (flight.firstToken - flight.arrival) * MILLIS;
        if (flight.generated > 1) {
            tpot[tpots++] = (now - flight.firstToken) / (flight.generated - 1) * MILLIS;
        }
    }

    /** @param stranded how many requests no decoder was left for */
    RunFigures figures(double seconds, int stranded) {
        double[] shares = new double[placed.length];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = decisions == 0 ? 0 : (double) placed[i] / decisions;
        }
        Optional<String> unstable =
                stranded > 0 ? Optional.of(stranded + " requests found no decoder at all") : backlog.growth();
        return new RunFigures(
                Percentiles.of(tpot, tpots),
                Percentiles.of(ttft, ttfts),
                ratio((double) unions, batches * geometry.layers()),
                ratio((double) batches, steps),
                ratio(stepSeconds * MILLIS, steps),
                bands == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) bandMembers / bands),
                bands == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) spilled / bands),
                ratio(maxOverMean, decisions),
                Arrays.stream(shares).boxed().toList(),
                ttfts,
                restarted,
                seconds,
                unstable);
    }

    private static double ratio(double sum, long count) {
        return count == 0 ? 0 : sum / count;
    }
}
