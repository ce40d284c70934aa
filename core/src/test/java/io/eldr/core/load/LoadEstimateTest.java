package io.eldr.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadEstimateTest {
    private static final Incarnation A = new Incarnation("a", "1");
    private static final Incarnation B = new Incarnation("b", "1");

    private final LoadLedger ledger = new LoadLedger();
    private final LoadView view = ledger.view(List.of(A, B));

    @Test
    void oneRouterWithoutReportsKnowsTheWholeLoad() {
        reserve(A, 3);

        assertThat(load(0)).isEqualTo(3);
        assertThat(load(1)).isZero();
    }

    @Test
    void withoutAReportEachRouterIsTakenToSendAsMuch() {
        ledger.routers(4);
        reserve(A, 3);

        assertThat(load(0)).isEqualTo(12);
    }

    @Test
    void aReportShowsWhatOthersSend() {
        ledger.routers(4);
        ledger.report(A, Optional.of(EngineReport.of(20, 0)));

        assertThat(load(0)).isEqualTo(20);
        assertThat(view.inFlight(0)).isZero();
        assertThat(ledger.inFlight(A)).isZero();
    }

    @Test
    void whatWasPickedAndCompletedSinceTheReportCountsForEachRouter() {
        ledger.routers(4);
        List<LoadUnit> units = reserve(A, 5);
        ledger.report(A, Optional.of(EngineReport.of(11, 5)));
        assertThat(load(0)).isEqualTo(11);

        reserve(A, 2);
        assertThat(load(0)).isEqualTo(11 + 4 * 2);
        units.forEach(LoadUnit::release);
        assertThat(load(0)).as("never below the own count").isEqualTo(2);
    }

    @Test
    void aReportThatBecameTooOldCountsAsNone() {
        ledger.routers(3);
        reserve(A, 2);
        reserve(B, 1);
        ledger.report(A, Optional.of(EngineReport.of(40, 2)));
        ledger.report(A, Optional.empty());

        assertThat(load(0)).isEqualTo(6);
        assertThat(load(1)).isEqualTo(3);
    }

    @Test
    void howFullAKvCacheIsIsSeenWhileTheReportCounts() {
        assertThat(view.kvUse(0)).isEmpty();
        ledger.report(A, Optional.of(new EngineReport(1, 0, OptionalDouble.of(0.5))));
        assertThat(view.kvUse(0)).hasValue(0.5);
        ledger.report(A, Optional.empty());
        assertThat(view.kvUse(0)).isEmpty();
    }

    @Test
    void theReportOfAnIncarnationThatLeftChangesNothing() {
        ledger.report(new Incarnation("a", "0"), Optional.of(EngineReport.of(40, 2)));

        assertThat(load(0)).isZero();
        assertThat(ledger.inFlight()).containsOnlyKeys(A, B);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void itIsAtLeastTheOwnCountGrowsWithItAndEqualsTheReportWhereNothingHappenedSince(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 10_000; i++) {
            int own = random.nextInt(200);
            int routers = 1 + random.nextInt(16);
            EngineReport said = EngineReport.of(own + random.nextInt(1_000), random.nextInt(200));
            Optional<EngineReport> report = random.nextInt(4) == 0 ? Optional.empty() : Optional.of(said);
            double load = LoadEstimate.of(own, report, routers);

            assertThat(load).isGreaterThanOrEqualTo(own);
            assertThat(LoadEstimate.of(own + 1, report, routers)).isBetween(load, load + routers);
            assertThat(LoadEstimate.of(said.ownThen(), Optional.of(said), routers))
                    .isEqualTo(Math.max(said.requests(), said.ownThen()));
            assertThat(LoadEstimate.of(
                            own, Optional.of(EngineReport.of(routers * said.ownThen(), said.ownThen())), routers))
                    .as("routers that all do the same see the sum of what they have")
                    .isEqualTo((double) routers * own);
        }
    }

    @Test
    void anIncarnationThatAdmitsNoneOrOneMoreKeepsWhatItHas() {
        List<LoadUnit> units = reserve(A, 2);

        ledger.admit(A, OptionalInt.of(0));
        assertThat(view.inFlight(0)).isEqualTo(LoadView.GONE);
        assertThat(ledger.inFlight(A)).isEqualTo(2);
        assertThat(ledger.tryReserve(A, 2, OptionalInt.empty())).isEqualTo(new LoadLedger.Gone());

        ledger.admit(A, OptionalInt.of(1));
        assertThat(view.inFlight(0)).isEqualTo(2);
        assertThat(ledger.tryReserve(A, 1, OptionalInt.empty())).isEqualTo(new LoadLedger.Contended());
        reserve(A, 1);
        assertThat(view.inFlight(0)).isEqualTo(LoadView.GONE);
        assertThat(ledger.inFlight(A)).isEqualTo(3);

        units.getFirst().release();
        assertThat(view.inFlight(0)).isEqualTo(LoadView.GONE);
        ledger.admit(A, OptionalInt.empty());
        assertThat(view.inFlight(0)).isEqualTo(2);
    }

    private double load(int decoder) {
        return view.load(decoder, view.inFlight(decoder));
    }

    private List<LoadUnit> reserve(Incarnation incarnation, int times) {
        List<LoadUnit> units = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            units.add(
                    ((LoadLedger.Reserved) ledger.reserve(incarnation, OptionalInt.empty(), Optional.empty())).unit());
        }
        return units;
    }
}
