package io.eldr.core.load;

/** What became of an attempt to close a reservation. */
public sealed interface Closing<D> {
    /** This call closed it. */
    record Closed<D>(Reservation<D> reservation) implements Closing<D> {}

    /** An earlier call closed it, not so long ago that it was forgotten. */
    record AlreadyClosed<D>() implements Closing<D> {}

    /** Its lease had ended. */
    record Expired<D>() implements Closing<D> {}

    /** Never opened here, or ended so long ago that it was forgotten. */
    record Unknown<D>() implements Closing<D> {}
}
