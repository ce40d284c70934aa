package io.eldr.router.sample;

import io.eldr.router.pool.Pool;

/**
 * Takes finished requests as samples for the next refit. Both calls are for a request's own thread: neither waits, and
 * what cannot be taken is dropped and counted.
 */
public interface SampleSink {

    /**
     * Whether a request is among the pool's share that becomes samples ({@code sampling.rate}). The same answer for the
     * same id as long as the rate is the same, so it may be asked when the request begins, to know whether its counts
     * are worth keeping.
     */
    boolean wants(Pool pool, String requestId);

    /** Takes a finished request that was wanted. */
    void offer(LiveSample sample);
}
