package io.eldr.calibration.refit;

/** What became of a wish for a refit that nobody made by hand. */
sealed interface Asked {
    record Queued(RefitView refit) implements Asked {}

    /** One that serves the wish is open already. */
    record Open(RefitView refit) implements Asked {}

    /** One for the very same decoders was the last thing tried. */
    record Done(RefitView refit) implements Asked {}

    /** @param why for a person */
    record Declined(String why) implements Asked {}
}
