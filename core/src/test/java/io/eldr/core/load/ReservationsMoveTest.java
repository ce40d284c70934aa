package io.eldr.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Leases that run anew, and reservations that leave a decoder that failed. */
class ReservationsMoveTest {
    private static final Incarnation A = new Incarnation("a", "1");
    private static final Incarnation B = new Incarnation("b", "1");
    private static final Incarnation C = new Incarnation("c", "1");

    private final MutableClock clock = new MutableClock();
    private final LoadLedger ledger = new LoadLedger();
    private final LoadView view = ledger.view(List.of(A, B, C));
    private final List<String> heard = new ArrayList<>();
    private final Reservations<String> reservations = new Reservations<>("router-a", 42, ledger, clock, hearing(), 100);

    @Test
    void aRenewedLeaseRunsFromThenOn() {
        ReservationId id = open("r", Lease.ofSeconds(10)).id();
        clock.advance(Duration.ofSeconds(9));

        assertThat(reservations.renew(id, Optional.empty()))
                .isInstanceOfSatisfying(
                        Renewal.Renewed.class,
                        renewed -> assertThat(renewed.reservation().expiresAt())
                                .isEqualTo(clock.instant().plusSeconds(10)));
        clock.advance(Duration.ofSeconds(9));
        assertThat(reservations.expire(clock.instant())).isZero();
        reservations.renew(id, Optional.of(Lease.ofSeconds(100)));
        clock.advance(Duration.ofSeconds(99));
        assertThat(reservations.expire(clock.instant())).isZero();
        clock.advance(Duration.ofSeconds(1));
        assertThat(reservations.expire(clock.instant())).isEqualTo(1);

        assertThat(view.inFlight(0)).isZero();
        assertThat(heard).containsExactly("r expired");
    }

    @Test
    void aLeaseRenewedToTheSameMomentStillEnds() {
        ReservationId id = open("r", Lease.ofSeconds(10)).id();
        for (int i = 0; i < 3; i++) {
            reservations.renew(id, Optional.of(Lease.ofSeconds(10)));
            reservations.renew(id, Optional.of(Lease.ofSeconds(20)));
            reservations.renew(id, Optional.of(Lease.ofSeconds(10)));
        }

        clock.advance(Duration.ofSeconds(10));

        assertThat(reservations.expire(clock.instant())).isEqualTo(1);
        assertThat(view.inFlight(0)).isZero();
    }

    @Test
    void whatEndedCannotBeRenewed() {
        ReservationId closed = open("r", Lease.ofSeconds(10)).id();
        reservations.close(closed, Outcome.COMPLETED);
        ReservationId expired = open("s", Lease.ofSeconds(10)).id();
        clock.advance(Duration.ofSeconds(10));

        assertThat(reservations.renew(closed, Optional.empty())).isEqualTo(new Renewal.NotOpen<>(Absence.CLOSED));
        assertThat(reservations.renew(expired, Optional.empty())).isEqualTo(new Renewal.NotOpen<>(Absence.EXPIRED));
        assertThat(reservations.renew(new ReservationId("router-a", 5), Optional.empty()))
                .isEqualTo(new Renewal.NotOpen<>(Absence.UNKNOWN));
    }

    @Test
    void aFailedDecodersReservationMovesWithItsLoad() {
        Reservation<String> held = open("r", Lease.ofSeconds(10));
        clock.advance(Duration.ofSeconds(5));

        Reservation<String> moved = moved(reservations.reassign(held.id(), "a", seats(B, C)));

        assertThat(moved.id()).isEqualTo(held.id());
        assertThat(moved.incarnation()).isEqualTo(B);
        assertThat(moved.failed()).containsExactly("a");
        assertThat(moved.decision()).isEqualTo("on b");
        assertThat(moved.expiresAt()).isEqualTo(clock.instant().plusSeconds(10));
        assertThat(loads()).containsExactly(0, 1, 0);
        assertThat(heard).containsExactly("r moved from a to b");
        assertThat(reservations.find("demo", "r")).contains(moved);
        assertThat(reservations.find(held.id())).contains(moved);
        reservations.close(held.id(), Outcome.COMPLETED);
        assertThat(loads()).containsExactly(0, 0, 0);
    }

    @Test
    void theSameFailureSaidAgainMovesNothing() {
        ReservationId id = open("r", Lease.DEFAULT).id();
        Reservation<String> moved = moved(reservations.reassign(id, "a", seats(B, C)));

        assertThat(reservations.reassign(id, "a", seats(B, C))).isEqualTo(new Reassignment.Repeated<>(moved));
        assertThat(reservations.reassign(id, "c", seats(B, C))).isEqualTo(new Reassignment.Elsewhere<>(moved));
        assertThat(loads()).containsExactly(0, 1, 0);
    }

    @Test
    void seatsThatAreFullOrGoneAreSkipped() {
        ReservationId id = open("r", Lease.DEFAULT).id();
        open("other", B);
        ledger.admit(C, OptionalInt.of(0));
        Seat<String> full = new Seat<>(B, OptionalInt.of(1), "full");
        Seat<String> closed = new Seat<>(C, OptionalInt.empty(), "closed");
        Seat<String> unknown = new Seat<>(new Incarnation("d", "1"), OptionalInt.empty(), "unknown");

        assertThat(reservations.reassign(id, "a", _ -> List.of(full, closed, unknown)))
                .isInstanceOf(Reassignment.Exhausted.class);
        assertThat(loads()).containsExactly(0, 1, LoadView.GONE);
        assertThat(reservations.open()).isEqualTo(1);
        assertThat(heard).containsExactly("r decoderFailed");
        assertThat(reservations.reassign(id, "a", seats(B))).isEqualTo(new Reassignment.NotOpen<>(Absence.CLOSED));
        assertThat(reservations.close(id, Outcome.COMPLETED)).isEqualTo(new Closing.AlreadyClosed<>());
    }

    @Test
    void aReservationWhoseLeaseEndedDoesNotMove() {
        ReservationId id = open("r", Lease.ofSeconds(1)).id();
        clock.advance(Duration.ofSeconds(1));

        assertThat(reservations.reassign(id, "a", seats(B))).isEqualTo(new Reassignment.NotOpen<>(Absence.EXPIRED));
        assertThat(loads()).containsExactly(0, 0, 0);
    }

    @Test
    void whenTheLoadMovedTheOldLeaseEndsNothing() {
        ReservationId id = open("r", Lease.ofSeconds(10)).id();
        clock.advance(Duration.ofSeconds(9));
        reservations.reassign(id, "a", seats(B));
        clock.advance(Duration.ofSeconds(9));

        assertThat(reservations.expire(clock.instant())).isZero();
        assertThat(loads()).containsExactly(0, 1, 0);
        clock.advance(Duration.ofSeconds(1));
        assertThat(reservations.expire(clock.instant())).isEqualTo(1);
        assertThat(loads()).containsExactly(0, 0, 0);
    }

    private List<Integer> loads() {
        return List.of(view.inFlight(0), view.inFlight(1), view.inFlight(2));
    }

    private static Function<Reservation<String>, List<Seat<String>>> seats(Incarnation... where) {
        return _ -> List.of(where).stream()
                .map(seat -> new Seat<>(seat, OptionalInt.empty(), "on " + seat.slot()))
                .toList();
    }

    private static Reservation<String> moved(Reassignment<String> reassignment) {
        return ((Reassignment.Moved<String>) reassignment).after();
    }

    private Reservation<String> open(String requestId, Lease lease) {
        return open(requestId, A, lease);
    }

    private void open(String requestId, Incarnation incarnation) {
        open(requestId, incarnation, Lease.DEFAULT);
    }

    private Reservation<String> open(String requestId, Incarnation incarnation, Lease lease) {
        return ((Opening.Opened<String>) reservations.open(
                        "demo",
                        requestId,
                        incarnation,
                        ledger.inFlight(incarnation),
                        OptionalInt.empty(),
                        lease,
                        "first"))
                .reservation();
    }

    private ReservationListener<String> hearing() {
        return new ReservationListener<>() {
            @Override
            public void closed(Reservation<String> reservation, Outcome outcome) {
                heard.add(reservation.requestId() + " " + outcome.id());
            }

            @Override
            public void expired(Reservation<String> reservation) {
                heard.add(reservation.requestId() + " expired");
            }

            @Override
            public void moved(Reservation<String> before, Reservation<String> after) {
                heard.add(before.requestId() + " moved from "
                        + before.incarnation().slot() + " to "
                        + after.incarnation().slot());
            }
        };
    }
}
