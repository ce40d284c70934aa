package io.eldr.calibration.drift;

import io.eldr.calibration.CalibrationProperties;
import io.eldr.calibration.pool.PoolDirectory;
import io.eldr.core.drift.DriftState;
import io.eldr.core.drift.DriftThresholds;
import io.eldr.db.activation.Activation;
import io.eldr.db.activation.ActivationLedger;
import io.eldr.db.drift.DriftStore;
import io.eldr.db.drift.DriftWatch;
import io.eldr.db.pool.Pool;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Says whether pools drift. */
@Service
class DriftReader {
    private final PoolDirectory pools;
    private final ActivationLedger ledger;
    private final References references;
    private final DriftStore store;
    private final CalibrationProperties.Drift settings;

    DriftReader(
            PoolDirectory pools,
            ActivationLedger ledger,
            References references,
            DriftStore store,
            CalibrationProperties properties) {
        this.pools = pools;
        this.ledger = ledger;
        this.references = references;
        this.store = store;
        this.settings = properties.drift();
    }

    /** @param limit how many windows to show */
    @Transactional(readOnly = true)
    public DriftView read(String poolName, int limit) {
        Pool pool = pools.require(poolName);
        Optional<Activation> active = ledger.current(pool.id());
        Optional<Reference> reference = active.flatMap(current -> references.of(pool.id(), current.version()));
        Optional<DriftWatch> watch = store.find(pool.id())
                .filter(found -> active.isPresent()
                        && reference.isPresent()
                        && found.generation() == active.get().generation());
        return new DriftView(
                poolName,
                reference.isPresent() ? state(watch) : "unknown",
                reference.isPresent() ? Optional.empty() : Optional.of(reason(active)),
                active.map(Activation::generation),
                active.map(Activation::version),
                watch.flatMap(DriftWatch::alarmSince),
                watch.map(DriftWatch::refitRequested).orElse(false),
                thresholds(),
                reference
                        .map(Reference::baseline)
                        .map(held -> new DriftView.HeldOut(held.requests(), held.meanSimilarity(), held.shares())),
                watch.map(found -> new DriftView.Collecting(
                        found.startedAt(),
                        found.window().requests(),
                        found.window().withoutSignature())),
                store.newest(pool.id(), limit).stream().map(WindowView::of).toList());
    }

    private static String state(Optional<DriftWatch> watch) {
        if (watch.isEmpty() || watch.get().state().equals(DriftState.CALM)) {
            return "calm";
        }
        return watch.get().state().alarm() ? "alarm" : "suspected";
    }

    private static String reason(Optional<Activation> active) {
        return active.map(current -> DriftWindows.unknown(current.version()))
                .orElse("Nothing is active yet: there is nothing to drift from.");
    }

    private DriftView.Thresholds thresholds() {
        DriftThresholds limits = settings.thresholds();
        return new DriftView.Thresholds(
                settings.window(),
                limits.psiFactor(),
                limits.psiFloor(),
                limits.significance(),
                limits.similarityDrop(),
                limits.windowsInRow());
    }
}
