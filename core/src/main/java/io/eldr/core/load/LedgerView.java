package io.eldr.core.load;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;

/** A ledger's counts and estimates for a fixed list of incarnations, without a look-up for each reading. */
final class LedgerView implements LoadView {
    private final InFlightGauge[] gauges;
    private final AtomicInteger routers;

    /** Adopts the array. */
    LedgerView(InFlightGauge[] gauges, AtomicInteger routers) {
        this.gauges = gauges;
        this.routers = routers;
    }

    @Override
    public Optional<DecoderUse> use(int decoder) {
        return gauges[decoder].use();
    }

    @Override
    public int size() {
        return gauges.length;
    }

    @Override
    public int inFlight(int decoder) {
        return gauges[decoder].open();
    }

    @Override
    public double load(int decoder, int inFlight) {
        return LoadEstimate.of(inFlight, gauges[decoder].report(), routers.get());
    }

    @Override
    public OptionalDouble kvUse(int decoder) {
        return gauges[decoder].report().map(EngineReport::kvUse).orElse(OptionalDouble.empty());
    }
}
