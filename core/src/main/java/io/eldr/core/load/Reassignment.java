package io.eldr.core.load;

/** What became of an attempt to move a reservation away from a decoder that failed. */
public sealed interface Reassignment<D> {
    /** This call moved it: the old load was given back and the new one taken. */
    record Moved<D>(Reservation<D> before, Reservation<D> after) implements Reassignment<D> {}

    /** An earlier call moved it away from there. */
    record Repeated<D>(Reservation<D> reservation) implements Reassignment<D> {}

    /** It is on another decoder than the one that is said to have failed, and never was on that one. */
    record Elsewhere<D>(Reservation<D> reservation) implements Reassignment<D> {}

    /** There was nowhere to go, so this call closed it. */
    record Exhausted<D>(Reservation<D> reservation) implements Reassignment<D> {}

    /** There is nothing to move. */
    record NotOpen<D>(Absence why) implements Reassignment<D> {}
}
