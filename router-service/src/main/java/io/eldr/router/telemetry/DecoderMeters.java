package io.eldr.router.telemetry;

import io.eldr.core.load.DecoderUse;
import io.eldr.core.load.EngineReport;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.routing.FoldedForecast;
import io.eldr.router.pool.ServedState;
import io.eldr.router.pool.WorkerView;
import io.eldr.router.worker.WorkerState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The meters of a pool's decoders, one row for each slot that the operator registered. What this router has there and what
 * the engine reports are two series, and the estimate made of both is a third.
 */
final class DecoderMeters {
    private final String pool;
    private final LoadLedger ledger;
    private final MultiGauge inFlight;
    private final MultiGauge reported;
    private final MultiGauge load;
    private final MultiGauge experts;
    private List<Incarnation> shown = List.of();
    private volatile double layersForOne = 1;

    DecoderMeters(MeterRegistry registry, String pool, LoadLedger ledger) {
        this.pool = pool;
        this.ledger = ledger;
        this.inFlight = MultiGauge.builder("eldr.router.decoder.in.flight")
                .description("Requests that this router has there now; sums up over routers")
                .register(registry);
        this.reported = MultiGauge.builder("eldr.router.decoder.engine.requests")
                .description(
                        "Requests running and waiting there as its engine says, from whatever router; NaN if unknown")
                .register(registry);
        this.load = MultiGauge.builder("eldr.router.decoder.load")
                .description("The whole load there as this router estimates it; does not sum up over routers")
                .register(registry);
        this.experts = MultiGauge.builder("eldr.router.decoder.expected.experts")
                .description(
                        "Active experts expected in a decode step there, summed over layers; NaN without policy union")
                .register(registry);
    }

    /** NaN while no policy of the pool goes by it. */
    private double experts(Incarnation incarnation) {
        return ledger.use(incarnation)
                .filter(DecoderUse::isKnown)
                .map(use -> layersForOne * use.union())
                .orElse(Double.NaN);
    }

    /** Shows the decoders of a state; nothing happens where they are the same. */
    synchronized void show(ServedState state) {
        layersForOne = state.forDecisions()
                .snapshot()
                .forecast()
                .map(FoldedForecast::layersForOne)
                .orElse(1.0);
        List<Incarnation> present = state.decoders().stream()
                .filter(view -> view.state() != WorkerState.GONE)
                .map(WorkerView::incarnation)
                .toList();
        if (!present.equals(shown)) {
            shown = present;
            register();
        }
    }

    synchronized void remove() {
        shown = List.of();
        register();
    }

    private void register() {
        inFlight.register(rows(ledger::inFlight), true);
        reported.register(
                rows(incarnation -> ledger.report(incarnation)
                        .map(EngineReport::requests)
                        .map(Integer::doubleValue)
                        .orElse(Double.NaN)),
                true);
        load.register(rows(ledger::load), true);
        experts.register(rows(this::experts), true);
    }

    private List<MultiGauge.Row<?>> rows(ToDoubleFunction<Incarnation> value) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (Incarnation incarnation : shown) {
            rows.add(MultiGauge.Row.of(Tags.of("pool", pool, "slot", incarnation.slot()), incarnation, value));
        }
        return rows;
    }
}
