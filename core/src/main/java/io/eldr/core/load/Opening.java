package io.eldr.core.load;

/** What became of an attempt to open a reservation. */
public sealed interface Opening<D> {
    /** It is open. */
    record Opened<D>(Reservation<D> reservation) implements Opening<D> {}

    /** The same request has an open reservation in the pool already; nothing was opened. */
    record Existing<D>(Reservation<D> reservation) implements Opening<D> {}

    /** The load is no longer what the decision saw, or the incarnation left: decide again, on the newest snapshot. */
    record Stale<D>() implements Opening<D> {}
}
