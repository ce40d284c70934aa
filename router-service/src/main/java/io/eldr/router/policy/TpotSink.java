package io.eldr.router.policy;

import java.time.Instant;

/** Takes what engines say of times per output token. */
@FunctionalInterface
public interface TpotSink {

    /**
     * @param pool the pool of the decoder that was measured; one that is not known is passed over
     * @param from when the earliest of the measured requests was placed, by UTC
     * @param to when the last ended
     * @param requests how many were measured, at least 1
     * @param millis their mean time per output token
     */
    void tpot(String pool, Instant from, Instant to, int requests, double millis);
}
