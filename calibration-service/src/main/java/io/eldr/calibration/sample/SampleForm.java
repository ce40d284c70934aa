package io.eldr.calibration.sample;

import io.eldr.core.signature.Geometry;
import java.io.InputStream;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** How the samples of a body are written. */
sealed interface SampleForm {
    SampleReader reader(InputStream in, Geometry geometry);

    /** {@link io.eldr.core.trace.SampleBatchForm}. */
    record Binary() implements SampleForm {
        @Override
        public SampleReader reader(InputStream in, Geometry geometry) {
            return new BinarySamples(in, geometry);
        }
    }

    /**
     * A JSON object a line.
     *
     * @param lines reads a {@link SampleLine}
     */
    record Lines(ObjectReader lines) implements SampleForm {
        static Lines of(JsonMapper json) {
            return new Lines(json.readerFor(SampleLine.class));
        }

        @Override
        public SampleReader reader(InputStream in, Geometry geometry) {
            return new LineSamples(in, geometry, lines);
        }
    }
}
