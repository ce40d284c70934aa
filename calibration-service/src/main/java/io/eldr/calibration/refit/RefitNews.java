package io.eldr.calibration.refit;

/** What a listener to a refit hears. */
sealed interface RefitNews {
    /** @param revision by which it is told from what was heard before */
    record Changed(RefitView refit, int revision) implements RefitNews {
        boolean isLast() {
            return refit.state().isFinal();
        }
    }

    /**
     * Nothing more can be heard here.
     *
     * @param why for a person
     */
    record Unavailable(String why) implements RefitNews {}
}
