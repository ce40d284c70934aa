package io.eldr.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReservationsSizeTest {
    private static final int OPEN = 100_000;
    private static final int MOST_BYTES_EACH = 1_000;

    /** The time is for a machine that is busy with other things; what it takes is well below a second. */
    @Test
    @Timeout(60)
    void aHundredThousandOpenReservationsTakeLittleMemoryAndEndAtOnce() {
        MutableClock clock = new MutableClock();
        LoadLedger ledger = new LoadLedger();
        Incarnation decoder = new Incarnation("a", "1");
        LoadView view = ledger.view(List.of(decoder));
        Reservations<String> reservations =
                new Reservations<>("router-a", 7, ledger, clock, ReservationListener.none(), OPEN);
        List<ReservationId> ids = new ArrayList<>(OPEN);
        long before = usedBytes();
        for (int i = 0; i < OPEN; i++) {
            Opening<String> opening = reservations.open(
                    "demo", "request-" + i, decoder, i, OptionalInt.empty(), Lease.ofSeconds(1 + i % 600), "decision");
            ids.add(((Opening.Opened<String>) opening).reservation().id());
        }

        assertThat(reservations.open()).isEqualTo(OPEN);
        assertThat(view.inFlight(0)).isEqualTo(OPEN);
        assertThat((usedBytes() - before) / OPEN).as("bytes each").isLessThan(MOST_BYTES_EACH);
        ids.subList(0, OPEN / 2)
                .forEach(id ->
                        assertThat(reservations.close(id, Outcome.COMPLETED)).isInstanceOf(Closing.Closed.class));
        clock.advance(Duration.ofMinutes(10));
        assertThat(reservations.expire(clock.instant())).isEqualTo(OPEN / 2);
        assertThat(view.inFlight(0)).isZero();
        assertThat(reservations.remembered()).isEqualTo(OPEN);
    }

    private static long usedBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
