package io.eldr.calibration.sample;

import io.eldr.core.signature.Geometry;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.SampleBatchReader;
import io.eldr.db.sample.DecodedTokens;
import io.eldr.db.sample.NewSample;
import io.eldr.db.sample.SampleSource;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The samples of a body in the binary form. */
final class BinarySamples implements SampleReader {
    private final SampleBatchReader batch;

    BinarySamples(InputStream in, Geometry geometry) {
        this.batch = new SampleBatchReader(in, geometry);
    }

    @Override
    public Optional<NewSample> next() throws IOException {
        return batch.next().map(BinarySamples::sample);
    }

    private static NewSample sample(RequestSample read) {
        return new NewSample(
                read.id(),
                Optional.of(read.label()).filter(label -> !label.isEmpty()),
                read.signatureTokens(),
                read.prefill(),
                read.decode().map(counts -> new DecodedTokens(read.decodeTokens(), counts)),
                SampleSource.API);
    }

    @Override
    public String place() {
        return batch.place();
    }
}
