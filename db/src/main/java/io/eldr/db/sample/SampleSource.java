package io.eldr.db.sample;

import java.util.Locale;

/** How a sample came in. */
public enum SampleSource {
    /** Posted to the samples API. */
    API,
    /** From trace files. */
    IMPORT,
    /** From a replay of recorded requests through an engine. */
    REPLAY,
    /** From live traffic. */
    ONLINE;

    String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SampleSource of(String code) {
        return valueOf(code.toUpperCase(Locale.ROOT));
    }
}
