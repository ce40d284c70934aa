package io.eldr.core.load;

/** A ledger's counts for a fixed list of incarnations, without a look-up for each reading. */
final class LedgerView implements LoadView {
    private final InFlightGauge[] gauges;

    /** Adopts the array. */
    LedgerView(InFlightGauge[] gauges) {
        this.gauges = gauges;
    }

    @Override
    public int size() {
        return gauges.length;
    }

    @Override
    public int inFlight(int decoder) {
        return gauges[decoder].get();
    }
}
