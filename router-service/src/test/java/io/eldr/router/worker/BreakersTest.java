package io.eldr.router.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.LoadView;
import io.eldr.core.load.Outcome;
import io.eldr.router.RouterProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BreakersTest {

    private static final Incarnation A = new Incarnation("a", "1");
    private static final Incarnation A_AGAIN = new Incarnation("a", "2");
    private static final int FAILURES = 3;

    private final LoadLedger ledger = new LoadLedger();
    private final LoadView view = ledger.view(List.of(A, A_AGAIN));
    private final AtomicInteger changes = new AtomicInteger();
    private Instant now = Instant.EPOCH;
    private final Breakers breakers = new Breakers(
            new RouterProperties.Breaker(FAILURES, Duration.ofSeconds(5), Duration.ofSeconds(12)), ledger, () -> now);

    BreakersTest() {
        breakers.onChange(changes::incrementAndGet);
    }

    @Test
    void aDecoderWhoseRequestsFailOneAfterAnotherIsEjectedAtOnce() {
        fail(FAILURES - 1);
        assertThat(standing()).isEqualTo(Standing.FIT);

        fail(1);

        assertThat(standing()).isEqualTo(Standing.EJECTED);
        assertThat(view.inFlight(0)).isEqualTo(LoadView.GONE);
        assertThat(changes).hasValue(1);
    }

    @Test
    void aRequestThatCompletesBreaksTheRow() {
        for (int i = 0; i < 10; i++) {
            fail(FAILURES - 1);
            end(Outcome.COMPLETED);
        }

        assertThat(standing()).isEqualTo(Standing.FIT);
    }

    @Test
    void aHundredClientErrorsLeaveItClosed() {
        for (int i = 0; i < 100; i++) {
            end(Outcome.CLIENT_ERROR);
            end(Outcome.ABORTED);
            end(Outcome.TIMEOUT);
        }

        assertThat(standing()).isEqualTo(Standing.FIT);
        assertThat(changes).hasValue(0);
    }

    @Test
    void afterAWhileOneRequestTriesAndClosesIt() {
        fail(FAILURES);
        pass(Duration.ofMillis(4_999));
        assertThat(standing()).isEqualTo(Standing.EJECTED);

        pass(Duration.ofMillis(1));

        assertThat(standing()).isEqualTo(Standing.ON_TRIAL);
        reserve();
        assertThat(view.inFlight(0)).isEqualTo(LoadView.GONE);
        end(Outcome.COMPLETED);
        assertThat(standing()).isEqualTo(Standing.FIT);
        assertThat(view.inFlight(0)).isEqualTo(1);
        fail(FAILURES - 1);
        assertThat(standing()).isEqualTo(Standing.FIT);
    }

    @Test
    void eachTrialThatFailsDoublesTheWhileUpToALongest() {
        fail(FAILURES);
        for (int seconds : new int[] {5, 10, 12, 12}) {
            pass(Duration.ofSeconds(seconds).minusMillis(1));
            assertThat(standing()).isEqualTo(Standing.EJECTED);
            pass(Duration.ofMillis(1));
            assertThat(standing()).isEqualTo(Standing.ON_TRIAL);
            fail(1);
        }
        pass(Duration.ofSeconds(12));
        end(Outcome.COMPLETED);
        fail(FAILURES);
        pass(Duration.ofSeconds(5));
        assertThat(standing()).isEqualTo(Standing.ON_TRIAL);
    }

    @Test
    void aTrialThatSaysNothingIsFollowedByAnother() {
        fail(FAILURES);
        pass(Duration.ofSeconds(5));
        for (Outcome outcome : List.of(Outcome.ABORTED, Outcome.CLIENT_ERROR, Outcome.TIMEOUT)) {
            reserve();
            assertThat(view.inFlight(0)).isEqualTo(LoadView.GONE);
            end(outcome);
            assertThat(standing()).isEqualTo(Standing.ON_TRIAL);
            assertThat(view.inFlight(0)).isNotNegative();
        }
        reserve();
        breakers.endedUnknown(A, now);
        assertThat(view.inFlight(0)).isNotNegative();
    }

    @Test
    void requestsFromBeforeTheTrialDoNotDecideIt() {
        Instant before = now;
        fail(FAILURES);
        pass(Duration.ofSeconds(5));
        reserve();

        breakers.ended(A, Outcome.DECODER_FAILED, before);
        breakers.ended(A, Outcome.COMPLETED, before);
        breakers.ended(A, Outcome.ABORTED, before);
        breakers.endedUnknown(A, before);

        assertThat(standing()).isEqualTo(Standing.ON_TRIAL);
        assertThat(view.inFlight(0)).isEqualTo(LoadView.GONE);
        end(Outcome.COMPLETED);
        for (int i = 0; i < FAILURES; i++) {
            breakers.ended(A, Outcome.DECODER_FAILED, before);
        }
        assertThat(standing()).isEqualTo(Standing.FIT);
    }

    @Test
    void aNewIncarnationStartsClosedAndTheOldOneIsForgotten() {
        fail(FAILURES);

        assertThat(breakers.standing(A_AGAIN)).isEqualTo(Standing.FIT);
        assertThat(view.inFlight(1)).isZero();
        breakers.retainOnly(Set.of(A_AGAIN));
        assertThat(standing()).isEqualTo(Standing.FIT);
        assertThat(view.inFlight(0)).isZero();
    }

    private Standing standing() {
        return breakers.standing(A);
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            end(Outcome.DECODER_FAILED);
        }
    }

    private void end(Outcome outcome) {
        breakers.ended(A, outcome, now);
    }

    private void pass(Duration time) {
        now = now.plus(time);
        breakers.tick();
    }

    private void reserve() {
        assertThat(ledger.tryReserve(A, ledger.inFlight(A), OptionalInt.empty()))
                .isInstanceOf(LoadLedger.Reserved.class);
    }
}
