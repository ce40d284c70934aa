package io.eldr.launcher.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.SampleBatchForm;
import io.eldr.core.trace.SampleBatchReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MadeUpSamplesTest {
    @Test
    void areWhatAServiceTakesIn() throws IOException {
        List<RequestSample> samples = new MadeUpSamples(7).take(20);
        SampleBatchReader reader =
                new SampleBatchReader(new ByteArrayInputStream(SampleBatchForm.write(samples)), MadeUpSamples.GEOMETRY);
        for (RequestSample sample : samples) {
            assertThat(reader.next()).contains(sample);
        }
        assertThat(reader.next()).isEmpty();
        assertThat(new MadeUpSamples(7).take(20)).isEqualTo(samples);
    }
}
