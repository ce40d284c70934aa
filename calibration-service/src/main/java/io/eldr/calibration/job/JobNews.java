package io.eldr.calibration.job;

/**
 * What a listener hears of a piece of work.
 *
 * @param <V> how it is shown
 */
public sealed interface JobNews<V> {
    /**
     * @param revision by which it is told from what was heard before
     * @param last whether nothing follows
     */
    record Changed<V>(V view, int revision, boolean last) implements JobNews<V> {}

    /**
     * Nothing more can be heard here.
     *
     * @param why for a person
     */
    record Unavailable<V>(String why) implements JobNews<V> {}
}
