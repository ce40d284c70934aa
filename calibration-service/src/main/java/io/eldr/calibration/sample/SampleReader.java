package io.eldr.calibration.sample;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.sample.NewSample;
import java.io.IOException;
import java.util.Optional;

/** Gives the samples of a body one after the other. */
interface SampleReader {
    /**
     * The next sample, which is right in itself; empty at the end of the body.
     *
     * @throws InvalidInputException naming the field at {@link #place} that is refused
     */
    Optional<NewSample> next() throws IOException;

    /** Where in the body {@link #next} was last, such as {@code line 12}. */
    String place();
}
