package io.eldr.calibration.drift;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.audit.Audit;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.core.drift.DriftDetector;
import io.eldr.core.drift.DriftState;
import io.eldr.core.drift.DriftThresholds;
import io.eldr.core.drift.DriftVerdict;
import io.eldr.core.drift.ObservationWindow;
import io.eldr.db.activation.Activation;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.audit.Actor;
import io.eldr.db.drift.DriftStore;
import io.eldr.db.drift.DriftWatch;
import io.eldr.db.drift.JudgedWindow;
import io.eldr.db.pool.Pool;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Merges what routers observe into windows of one pool and generation, and judges each that is full. A new generation
 * begins anew.
 */
@Service
class DriftWindows {
    /** Who raises and ends alarms. */
    private static final Actor DRIFT = Actor.of("drift");

    private static final Logger log = LoggerFactory.getLogger(DriftWindows.class);

    private final PoolDirectory pools;
    private final ActivationLedger ledger;
    private final References references;
    private final DriftStore store;
    private final Audit audit;
    private final InstantSource clock;
    private final int fullWindow;
    private final DriftThresholds thresholds;

    DriftWindows(
            PoolDirectory pools,
            ActivationLedger ledger,
            References references,
            DriftStore store,
            Audit audit,
            InstantSource clock,
            CalibrationProperties properties) {
        this.pools = pools;
        this.ledger = ledger;
        this.references = references;
        this.store = store;
        this.audit = audit;
        this.clock = clock;
        this.fullWindow = properties.drift().window();
        this.thresholds = properties.drift().thresholds();
    }

    /** A pool in alarm for which no refit was asked yet. */
    record Alarm(long poolId, long generation, String why) {}

    /**
     * @param judged whether a window became full
     * @param alarm present if it did, and no refit was asked for yet
     */
    record Result(ObservationAnswer answer, boolean judged, Optional<Alarm> alarm) {
        static Result without(ObservationAnswer answer) {
            return new Result(answer, false, Optional.empty());
        }
    }

    /** Adds a post to the window of its pool, or says why not. */
    @Transactional
    public Result add(String poolName, ObservationPost post) {
        String router = post.checkedRouter();
        long sequence = post.checkedSequence();
        long generation = post.checkedGeneration();
        ObservationWindow window = post.window();
        Pool pool = pools.require(poolName);
        Activation active = ledger.current(pool.id())
                .filter(current -> current.generation() >= generation)
                .orElseThrow(() -> Problems.exception(
                        ProblemType.CONFLICT, "The pool has had no generation " + generation + " yet."));
        if (generation < active.generation()) {
            return Result.without(over(generation, active.generation()));
        }
        Optional<Reference> reference = references.of(pool.id(), active.version());
        if (reference.isEmpty()) {
            return Result.without(ObservationAnswer.ignored(unknown(active.version())));
        }
        int clusters = reference.get().baseline().clusters();
        int bins = reference.get().baseline().bins();
        window.requireShape(clusters, bins);

        Instant now = clock.instant();
        DriftWatch begun =
                DriftWatch.begun(pool.id(), generation, active.version(), ObservationWindow.empty(clusters, bins), now);
        DriftWatch locked = store.lock(begun);
        if (locked.generation() > generation) {
            return Result.without(over(generation, locked.generation()));
        }
        if (!store.isNew(pool.id(), router, sequence, now)) {
            return Result.without(ObservationAnswer.DUPLICATE);
        }
        DriftWatch watch = locked.generation() == generation ? locked : begun;
        return filled(pool, watch.with(watch.window().plus(window)), reference.get(), now);
    }

    private Result filled(Pool pool, DriftWatch watch, Reference reference, Instant now) {
        if (watch.window().measured() < fullWindow) {
            store.save(watch);
            return Result.without(ObservationAnswer.COUNTED);
        }
        DriftVerdict verdict = new DriftDetector(reference.baseline(), thresholds).judge(watch.window());
        DriftState next = watch.state().after(verdict, thresholds);
        JudgedWindow judged = new JudgedWindow(
                watch.generation(),
                watch.version(),
                watch.startedAt(),
                now,
                watch.window().requests(),
                reference.slots().get(verdict.hottestCluster()),
                verdict,
                next.alarm());
        store.add(pool.id(), judged);
        if (next.alarm() != watch.state().alarm()) {
            turned(pool, watch.version(), judged);
        }
        DriftWatch after = watch.after(next, now);
        store.save(after);
        Optional<Alarm> alarm = next.alarm() && !after.refitRequested()
                ? Optional.of(new Alarm(pool.id(), watch.generation(), why(watch.version(), verdict)))
                : Optional.empty();
        return new Result(ObservationAnswer.COUNTED, true, alarm);
    }

    private void turned(Pool pool, int version, JudgedWindow window) {
        String what = window.alarm() ? "drifts from what its artifact was fitted on" : "drifts no more";
        log.warn("Pool {} {} (version {}): {}", pool.name(), what, version, window.verdict());
        audit.record(
                DRIFT,
                window.alarm() ? "drift.alarm" : "drift.clear",
                pool.name(),
                "version " + version,
                Optional.empty(),
                Optional.of(WindowView.of(window)));
    }

    private static ObservationAnswer over(long generation, long current) {
        return ObservationAnswer.ignored(
                "Generation " + generation + " serves no more; the pool is at " + current + ".");
    }

    /** Why drift cannot be known with a version. */
    static String unknown(int version) {
        return "Version " + version + " has no held-out statistics to compare with: drift cannot be known.";
    }

    private static String why(int version, DriftVerdict verdict) {
        return String.format(
                Locale.ROOT,
                "drift from version %d: PSI %.3f (limit %.3f), Kolmogorov-Smirnov %.3f (limit %.3f), mean best similarity"
                        + " %.3f (held out %.3f)",
                version,
                verdict.psi(),
                verdict.psiThreshold(),
                verdict.ks(),
                verdict.ksThreshold(),
                verdict.meanSimilarity(),
                verdict.heldOutMeanSimilarity());
    }
}
