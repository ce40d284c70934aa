package io.eldr.core.load;

/** What became of an attempt to renew a reservation. */
public sealed interface Renewal<D> {
    /** Its lease runs from now on. */
    record Renewed<D>(Reservation<D> reservation) implements Renewal<D> {}

    /** There is nothing to renew. */
    record NotOpen<D>(Absence why) implements Renewal<D> {}
}
