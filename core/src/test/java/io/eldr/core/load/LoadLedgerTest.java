package io.eldr.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoadLedgerTest {
    private static final OptionalInt UNLIMITED = OptionalInt.empty();
    private static final Incarnation A = new Incarnation("a", "1");
    private static final Incarnation A_AGAIN = new Incarnation("a", "2");
    private static final Incarnation B = new Incarnation("b", "1");

    private final LoadLedger ledger = new LoadLedger();
    private final LoadView view = ledger.view(List.of(A, B));

    @Test
    void aReservationRaisesTheCountThatViewsShow() {
        reserve(A, 0);
        reserve(A, 1);

        assertThat(view.inFlight(0)).isEqualTo(2);
        assertThat(view.inFlight(1)).isZero();
        assertThat(view.load(0, view.inFlight(0))).isEqualTo(2);
        assertThat(ledger.inFlight()).containsEntry(A, 2).containsEntry(B, 0);
    }

    @Test
    void aReservationOnAnOutdatedCountFails() {
        reserve(A, 0);

        assertThat(ledger.tryReserve(A, 0, UNLIMITED)).isEqualTo(new LoadLedger.Contended());
        assertThat(ledger.inFlight(A)).isEqualTo(1);
    }

    @Test
    void aLimitIsKept() {
        reserve(A, 0);

        assertThat(ledger.tryReserve(A, 1, OptionalInt.of(1))).isEqualTo(new LoadLedger.Full());
        assertThat(ledger.inFlight(A)).isEqualTo(1);
    }

    @Test
    void aUnitLowersTheCountOnce() {
        LoadUnit first = reserve(A, 0);
        reserve(A, 1);

        assertThat(first.release()).isTrue();
        assertThat(first.release()).isFalse();

        assertThat(ledger.inFlight(A)).isEqualTo(1);
    }

    @Test
    void aLateReleaseDoesNotReachTheNextIncarnation() {
        LoadUnit old = reserve(A, 0);
        LoadView renewed = ledger.view(List.of(A_AGAIN));
        ledger.retainOnly(Set.of(A_AGAIN));
        reserve(A_AGAIN, 0);

        old.release();

        assertThat(renewed.inFlight(0)).isEqualTo(1);
        assertThat(ledger.inFlight(A)).isZero();
    }

    @Test
    void anIncarnationThatLeftIsForgottenOnceItsLastRequestEnded() {
        LoadUnit last = reserve(A, 0);

        ledger.retainOnly(Set.of(B));
        assertThat(ledger.inFlight()).containsEntry(A, 1);
        last.release();
        ledger.retainOnly(Set.of(B));

        assertThat(ledger.inFlight()).containsOnlyKeys(B);
        assertThat(view.inFlight(0)).isEqualTo(LoadView.GONE);
        assertThat(ledger.tryReserve(A, 0, UNLIMITED)).isEqualTo(new LoadLedger.Gone());
    }

    @Test
    void anIncarnationThatComesBackStartsIdle() {
        ledger.retainOnly(Set.of(B));

        LoadView again = ledger.view(List.of(A));

        assertThat(again.inFlight(0)).isZero();
        reserve(A, 0);
        assertThat(again.inFlight(0)).isEqualTo(1);
        assertThat(view.inFlight(0)).isEqualTo(LoadView.GONE);
    }

    @Test
    void anIncarnationThatNoViewNamedTakesNoReservations() {
        assertThat(ledger.tryReserve(new Incarnation("c", "1"), 0, UNLIMITED)).isEqualTo(new LoadLedger.Gone());
        assertThat(ledger.inFlight()).containsOnlyKeys(A, B);
    }

    private LoadUnit reserve(Incarnation incarnation, int seen) {
        return ((LoadLedger.Reserved) ledger.tryReserve(incarnation, seen, UNLIMITED)).unit();
    }
}
