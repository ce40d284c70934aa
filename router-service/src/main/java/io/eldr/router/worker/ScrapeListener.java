package io.eldr.router.worker;

/** Hears of every attempt to read an engine's metrics. */
public interface ScrapeListener {

    /**
     * A page was read.
     *
     * @param nanos from the request to the last byte
     * @param readingNanos spent on the page's bytes, which is computing and no waiting
     */
    void scraped(long nanos, long readingNanos);

    /** There was no page, or none that says how loaded the engine is. */
    void failed();
}
