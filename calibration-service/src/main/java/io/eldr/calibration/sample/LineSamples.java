package io.eldr.calibration.sample;

import io.eldr.calibration.web.JsonRefusal;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.db.sample.NewSample;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;

/** The samples of a body of JSON lines. */
final class LineSamples implements SampleReader {
    /** What a line holds beside its counts. */
    private static final int LINE_OVERHEAD = 16_384;

    private final LineReader lines;
    private final Geometry geometry;
    private final ObjectReader json;

    LineSamples(InputStream in, Geometry geometry, ObjectReader json) {
        this.lines = new LineReader(in, maxLineLength(geometry));
        this.geometry = geometry;
        this.json = json;
    }

    @Override
    public Optional<NewSample> next() throws IOException {
        return lines.next().map(this::parse);
    }

    private NewSample parse(byte[] line) {
        try {
            SampleLine read = json.readValue(line);
            if (read == null) {
                throw new InvalidInputException("", "must be a JSON object");
            }
            return read.sample(geometry);
        } catch (JacksonException e) {
            InvalidInputException refusal = JsonRefusal.of(e);
            throw refusal.field().equals("body") ? new InvalidInputException("", refusal.reason()) : refusal;
        }
    }

    @Override
    public String place() {
        return "line " + lines.number();
    }

    /** Two matrices of 4 bytes a cell in base64. */
    private static int maxLineLength(Geometry geometry) {
        return (int) Math.min(Integer.MAX_VALUE - 64L, 2 * (4L * geometry.cells() + 2) / 3 * 4 + LINE_OVERHEAD);
    }
}
