package io.eldr.router.policy;

import java.time.Instant;

/** Takes times per output token from whoever measures them, such as a reader of the engines' histograms. */
@FunctionalInterface
public interface TpotSink {

    /**
     * @param pool the pool of the decoder that was measured; one that is not known is passed over
     * @param from when the earliest of the measured requests was placed, by UTC
     * @param to when the last ended
     * @param millis the mean time per output token of one request
     */
    void tpot(String pool, Instant from, Instant to, double millis);
}
