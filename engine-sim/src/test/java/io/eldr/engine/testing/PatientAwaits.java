package io.eldr.engine.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets tests wait a minute where they say no other time: a busy machine may stop them for seconds. */
public final class PatientAwaits implements BeforeAllCallback {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
