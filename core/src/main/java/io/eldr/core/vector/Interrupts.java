package io.eldr.core.vector;

import java.util.concurrent.CancellationException;

/** How long calculations are ended: they look now and then whether their thread was interrupted. */
public final class Interrupts {
    private Interrupts() {}

    /** @throws CancellationException if the thread was interrupted; it stays interrupted */
    public static void check() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted");
        }
    }
}
