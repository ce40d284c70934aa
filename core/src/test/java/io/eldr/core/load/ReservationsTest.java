package io.eldr.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatRuntimeException;

import io.eldr.core.signature.InvalidInputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReservationsTest {
    private static final Incarnation A = new Incarnation("a", "1");

    private final MutableClock clock = new MutableClock();
    private final LoadLedger ledger = new LoadLedger();
    private final LoadView view = ledger.view(List.of(A));
    private final List<String> ended = new ArrayList<>();
    private final Reservations<String> reservations = reservations(1_000);

    @Test
    void anOpenReservationHoldsOneUnitUntilItIsClosed() {
        Reservation<String> reservation = open("r", Lease.DEFAULT);

        assertThat(view.inFlight(0)).isEqualTo(1);
        assertThat(reservation.decision()).isEqualTo("decision of r");
        assertThat(reservation.expiresAt()).isEqualTo(clock.instant().plusSeconds(60));
        assertThat(reservations.close(reservation.id(), Outcome.COMPLETED))
                .isEqualTo(new Closing.Closed<>(reservation));
        assertThat(view.inFlight(0)).isZero();
        assertThat(reservations.open()).isZero();
        assertThat(ended).containsExactly("r completed");
    }

    @Test
    void aSecondCloseChangesNothing() {
        Reservation<String> reservation = open("r", Lease.DEFAULT);
        open("s", Lease.DEFAULT);
        reservations.close(reservation.id(), Outcome.COMPLETED);

        assertThat(reservations.close(reservation.id(), Outcome.ABORTED)).isEqualTo(new Closing.AlreadyClosed<>());
        assertThat(view.inFlight(0)).isEqualTo(1);
        assertThat(ended).containsExactly("r completed");
    }

    @Test
    void aClosedReservationIsRememberedForTenMinutes() {
        Reservation<String> reservation = open("r", Lease.DEFAULT);
        reservations.close(reservation.id(), Outcome.COMPLETED);

        clock.advance(Duration.ofMinutes(10));
        reservations.expire(clock.instant());
        assertThat(reservations.close(reservation.id(), Outcome.COMPLETED)).isEqualTo(new Closing.AlreadyClosed<>());
        clock.advance(Duration.ofMillis(1));
        assertThat(reservations.close(reservation.id(), Outcome.COMPLETED)).isEqualTo(new Closing.Unknown<>());
        reservations.expire(clock.instant());
        assertThat(reservations.close(reservation.id(), Outcome.COMPLETED)).isEqualTo(new Closing.Unknown<>());
        assertThat(reservations.remembered()).isZero();
    }

    @Test
    void noMoreThanTheGivenNumberOfEndedReservationsIsRemembered() {
        Reservations<String> few = reservations(3);
        List<ReservationId> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Reservation<String> reservation = open(few, "r" + i, Lease.DEFAULT);
            few.close(reservation.id(), Outcome.COMPLETED);
            ids.add(reservation.id());
        }

        assertThat(few.remembered()).isEqualTo(3);
        assertThat(few.close(ids.get(6), Outcome.COMPLETED)).isEqualTo(new Closing.Unknown<>());
        assertThat(few.close(ids.get(7), Outcome.COMPLETED)).isEqualTo(new Closing.AlreadyClosed<>());
    }

    @Test
    void aSweepEndsTheLeasesThatAreOverAndNoOthers() {
        open("short", Lease.ofSeconds(1));
        open("long", Lease.ofSeconds(600));

        clock.advance(Duration.ofMillis(999));
        assertThat(reservations.expire(clock.instant())).isZero();
        clock.advance(Duration.ofMillis(1));
        assertThat(reservations.expire(clock.instant())).isEqualTo(1);
        assertThat(reservations.expire(clock.instant())).isZero();

        assertThat(view.inFlight(0)).isEqualTo(1);
        assertThat(ended).containsExactly("short expired");
    }

    @Test
    void aLeaseThatIsOverIsNoticedWithoutASweep() {
        Reservation<String> reservation = open("r", Lease.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));

        assertThat(reservations.close(reservation.id(), Outcome.COMPLETED)).isEqualTo(new Closing.Expired<>());
        assertThat(reservations.close(reservation.id(), Outcome.COMPLETED)).isEqualTo(new Closing.Expired<>());
        assertThat(view.inFlight(0)).isZero();
        assertThat(reservations.expire(clock.instant())).isZero();
        assertThat(ended).containsExactly("r expired");
    }

    @Test
    void aLateCompletionAfterExpiryDoesNotLowerTheCountAgain() {
        Reservation<String> reservation = open("r", Lease.ofSeconds(1));
        clock.advance(Duration.ofSeconds(2));
        reservations.expire(clock.instant());
        open("s", Lease.DEFAULT);

        reservations.close(reservation.id(), Outcome.COMPLETED);

        assertThat(view.inFlight(0)).isEqualTo(1);
    }

    @Test
    void aRequestHoldsOneReservationAtATimeInAPool() {
        Reservation<String> first = open("r", Lease.DEFAULT);

        assertThat(reservations.find("demo", "r")).contains(first);
        assertThat(reservations.find("other", "r")).isEmpty();
        assertThat(attempt(reservations, "r", Lease.DEFAULT)).isEqualTo(new Opening.Existing<>(first));
        assertThat(view.inFlight(0)).isEqualTo(1);
        assertThat(reservations.open()).isEqualTo(1);
    }

    @Test
    void aRequestWhoseReservationEndedMayOpenAnother() {
        Reservation<String> closed = open("r", Lease.ofSeconds(1));
        reservations.close(closed.id(), Outcome.DECODER_FAILED);
        Reservation<String> expired = open("r", Lease.ofSeconds(1));
        clock.advance(Duration.ofSeconds(1));

        assertThat(reservations.find("demo", "r")).isEmpty();
        Reservation<String> third = open("r", Lease.DEFAULT);

        assertThat(Set.of(closed.id(), expired.id(), third.id())).hasSize(3);
        assertThat(view.inFlight(0)).isEqualTo(1);
        assertThat(ended).containsExactly("r decoderFailed", "r expired");
    }

    @Test
    void aDecisionOnAnOutdatedLoadOpensNothing() {
        open("r", Lease.DEFAULT);

        assertThat(reservations.open("demo", "s", A, 0, OptionalInt.empty(), Lease.DEFAULT, "late"))
                .isEqualTo(new Opening.Stale<>());
        assertThat(reservations.open()).isEqualTo(1);
        assertThat(reservations.find("demo", "s")).isEmpty();
    }

    @Test
    void aReservationClosedOnAnIncarnationThatLeftDoesNotTouchTheNewOne() {
        Reservation<String> old = open("r", Lease.DEFAULT);
        Incarnation again = new Incarnation("a", "2");
        LoadView renewed = ledger.view(List.of(again));
        reservations.open("demo", "s", again, 0, OptionalInt.empty(), Lease.DEFAULT, "new");

        reservations.close(old.id(), Outcome.COMPLETED);

        assertThat(renewed.inFlight(0)).isEqualTo(1);
        assertThat(view.inFlight(0)).isZero();
    }

    @Test
    void loadIsReleasedEvenWhereTheListenerFails() {
        Reservations<String> failing = new Reservations<>(
                "router-a",
                7,
                ledger,
                clock,
                new ReservationListener<>() {
                    @Override
                    public void closed(Reservation<String> reservation, Outcome outcome) {
                        throw new IllegalStateException("counter broken");
                    }

                    @Override
                    public void expired(Reservation<String> reservation) {}

                    @Override
                    public void moved(Reservation<String> before, Reservation<String> after) {}
                },
                10);
        Reservation<String> reservation = open(failing, "r", Lease.DEFAULT);

        assertThatRuntimeException().isThrownBy(() -> failing.close(reservation.id(), Outcome.COMPLETED));
        assertThat(view.inFlight(0)).isZero();
        assertThat(failing.open()).isZero();
    }

    @Test
    void reservationsOfAnotherRouterAreUnknown() {
        Reservation<String> reservation = open("r", Lease.DEFAULT);

        assertThat(reservations.close(
                        new ReservationId("router-b", reservation.id().key()), Outcome.COMPLETED))
                .isEqualTo(new Closing.Unknown<>());
        assertThat(reservations.close(new ReservationId("router-a", 12345), Outcome.COMPLETED))
                .isEqualTo(new Closing.Unknown<>());
        assertThat(view.inFlight(0)).isEqualTo(1);
    }

    @Test
    void openReservationsCanBeListed() {
        open("r", Lease.DEFAULT);
        reservations.close(open("s", Lease.DEFAULT).id(), Outcome.COMPLETED);
        List<String> open = new ArrayList<>();

        reservations.forEachOpen(reservation -> open.add(reservation.requestId()));

        assertThat(open).containsExactly("r");
    }

    @Test
    void anIdNamesItsRouterAndIsReadBack() {
        ReservationId id = open("r", Lease.DEFAULT).id();

        assertThat(id.toString()).matches("router-a\\.[0-9a-f]{16}");
        assertThat(ReservationId.parse(id.toString())).contains(id);
        assertThat(List.of(
                                "",
                                ".",
                                "router-a",
                                "router-a.12",
                                "ro uter.0123456789abcdef",
                                "r.0123456789ABCDEF",
                                ".0123456789abcdef",
                                "r.0123456789abcdefg",
                                "r,0123456789abcdef")
                        .stream()
                        .map(ReservationId::parse))
                .allMatch(Optional::isEmpty);
    }

    @Test
    void leasesOutOfRangeAreRefusedByName() {
        for (long seconds : new long[] {Long.MIN_VALUE, -1, 0, 601, Long.MAX_VALUE}) {
            assertThatExceptionOfType(InvalidInputException.class)
                    .isThrownBy(() -> Lease.ofSeconds(seconds))
                    .satisfies(refusal -> assertThat(refusal.field()).isEqualTo("leaseSeconds"));
        }
        assertThat(Lease.ofSeconds(1).duration()).isEqualTo(Duration.ofSeconds(1));
        assertThat(Lease.ofSeconds(600).duration()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void outcomesAreReadByName() {
        assertThat(Outcome.of("outcome", "clientError")).isEqualTo(Outcome.CLIENT_ERROR);
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> Outcome.of("outcome", "done"))
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo("outcome"));
    }

    private Reservations<String> reservations(int remembered) {
        return new Reservations<>(
                "router-a",
                42,
                ledger,
                clock,
                new ReservationListener<>() {
                    @Override
                    public void closed(Reservation<String> reservation, Outcome outcome) {
                        ended.add(reservation.requestId() + " " + outcome.id());
                    }

                    @Override
                    public void expired(Reservation<String> reservation) {
                        ended.add(reservation.requestId() + " expired");
                    }

                    @Override
                    public void moved(Reservation<String> before, Reservation<String> after) {}
                },
                remembered);
    }

    private Reservation<String> open(String requestId, Lease lease) {
        return open(reservations, requestId, lease);
    }

    private Reservation<String> open(Reservations<String> table, String requestId, Lease lease) {
        return ((Opening.Opened<String>) attempt(table, requestId, lease)).reservation();
    }

    private Opening<String> attempt(Reservations<String> table, String requestId, Lease lease) {
        return table.open(
                "demo", requestId, A, view.inFlight(0), OptionalInt.empty(), lease, "decision of " + requestId);
    }
}
