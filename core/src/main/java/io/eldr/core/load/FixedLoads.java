package io.eldr.core.load;

/** Loads that never change. */
final class FixedLoads implements LoadView {
    private final int[] inFlight;

    FixedLoads(int[] inFlight) {
        this.inFlight = inFlight;
    }

    @Override
    public int size() {
        return inFlight.length;
    }

    @Override
    public int inFlight(int decoder) {
        return inFlight[decoder];
    }
}
