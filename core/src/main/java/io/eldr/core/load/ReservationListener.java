package io.eldr.core.load;

/**
 * Hears of every reservation once when it ends, after its load was released, and whenever it moved; for counters, and for
 * what is kept beside the load. Called on the thread that did it.
 */
public interface ReservationListener<D> {
    /** It was closed with an outcome. */
    void closed(Reservation<D> reservation, Outcome outcome);

    /** Its lease ended before anybody closed it. */
    void expired(Reservation<D> reservation);

    /** Its decoder failed and it went on to another: load was given back there and taken here. */
    void moved(Reservation<D> before, Reservation<D> after);

    static <D> ReservationListener<D> none() {
        return new ReservationListener<>() {
            @Override
            public void closed(Reservation<D> reservation, Outcome outcome) {}

            @Override
            public void expired(Reservation<D> reservation) {}

            @Override
            public void moved(Reservation<D> before, Reservation<D> after) {}
        };
    }
}
