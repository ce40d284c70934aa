package io.eldr.router.sample;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What became of the requests that should have been samples. */
public final class SampleMeters {
    private final Map<Fate, Counter> counters = new EnumMap<>(Fate.class);

    /** How a sample's way ended. */
    public enum Fate {
        /** The calibration service has it. */
        TAKEN,
        /** The calibration service refused the batch it was in. */
        REFUSED,
        /** There was no room to keep it. */
        DROPPED,
        /** Its counts are not those of whole tokens. */
        UNFIT
    }

    SampleMeters(MeterRegistry registry) {
        for (Fate fate : Fate.values()) {
            counters.put(
                    fate,
                    Counter.builder("eldr.router.samples")
                            .description("Requests that were to become samples, by what became of them")
                            .tag("result", fate.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    public void count(Fate fate, int samples) {
        Counter counter = counters.get(fate);
        if (counter != null) {
            counter.increment(samples);
        }
    }
}
