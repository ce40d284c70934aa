package io.eldr.service.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets tests that wait for something wait a minute where they say nothing else: a machine that builds beside them may stop a
 * process for seconds. Found by JUnit itself wherever this module's tests are on the class path.
 */
public final class PatientAwaits implements BeforeAllCallback {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
