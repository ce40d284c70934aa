package io.eldr.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What decoders are expected to use, as reservations come and go. */
class DecoderUseTest {
    private static final int CELLS = 96;
    private static final Incarnation A = new Incarnation("a", "1");
    private static final Incarnation B = new Incarnation("b", "1");

    private final MutableClock clock = new MutableClock();
    private final LoadLedger ledger = new LoadLedger();
    private final LoadView view = ledger.view(List.of(A, B));
    private final Reservations<String> reservations =
            new Reservations<>("router-a", 42, ledger, clock, ReservationListener.none(), 100);

    static IntStream seeds() {
        return IntStream.range(0, 20);
    }

    /** The definition: P as the product over what is open. */
    private static double plainIdle(List<PredictedUse> open, int cell) {
        double idle = 1;
        for (PredictedUse use : open) {
            idle *= 1 - use.probability(cell);
        }
        return idle;
    }

    private static void assertIsTheProductOf(List<PredictedUse> open, DecoderUse use) {
        double union = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            double expected = plainIdle(open, cell);
            assertThat(use.idle(cell)).as("cell %d", cell).isCloseTo(expected, within(1e-6));
            union += 1 - expected;
        }
        assertThat(use.union()).isCloseTo(union, within(1e-3));
        assertThat(use.requests()).isEqualTo(open.size());
        assertThat(use.contextTokens())
                .isEqualTo(open.stream().mapToLong(PredictedUse::contextTokens).sum());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void isTheProductOverTheOpenOnesHoweverManyCameAndWent(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DecoderUse use = view.use(0).orElseThrow();
        List<PredictedUse> open = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            if (open.isEmpty() || (open.size() < 40 && random.nextInt(100) < 52)) {
                open.add(PredictedUse.of(PredictedUseTest.floats(random, CELLS), random.nextInt(1_000)));
                use.open(open.getLast());
            } else {
                use.close(open.remove(random.nextInt(open.size())));
            }
            if (i % 100 == 0) {
                assertIsTheProductOf(open, use);
            }
        }
        open.forEach(use::close);
        for (int cell = 0; cell < CELLS; cell++) {
            assertThat(use.idle(cell)).isEqualTo(1);
        }
        assertThat(use.union()).isZero();
    }

    @Test
    void aRequestAddsWhatOthersThereDoNotUse() {
        DecoderUse use = view.use(0).orElseThrow();
        float[] mine = {0.5f, 0.5f, 0, 0};
        assertThat(use.added(mine, 1)).isEqualTo(1);
        use.open(PredictedUse.of(new float[] {1, 0, 1, 0}, 0));

        assertThat(use.added(mine, 1)).isCloseTo(0.5 * (1 - 0.9785) + 0.5, within(1e-3));
        assertThat(use.added(new float[] {0.25f}, 0.25)).as("another model").isEqualTo(0.25);
    }

    @Test
    void aCopyWithoutARequestIsAsIfItHadNotCome() {
        SplittableRandom random = new SplittableRandom(5);
        List<PredictedUse> open = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            open.add(PredictedUse.of(PredictedUseTest.floats(random, CELLS), 100));
            view.use(0).orElseThrow().open(open.getLast());
        }
        DecoderUse copy = view.use(0).orElseThrow().without(open.getFirst());

        assertIsTheProductOf(open.subList(1, 3), copy);
        assertIsTheProductOf(open, view.use(0).orElseThrow());
    }

    @Test
    void itIsGivenBackHoweverAReservationEnds() {
        PredictedUse use = PredictedUse.of(PredictedUseTest.floats(new SplittableRandom(1), CELLS), 10);
        ReservationId closed = open("closed", use);
        ReservationId expired = open("expired", use);
        ReservationId moved = open("moved", use);
        assertIsTheProductOf(List.of(use, use, use), view.use(0).orElseThrow());

        reservations.close(closed, Outcome.COMPLETED);
        reservations.close(closed, Outcome.COMPLETED);
        assertIsTheProductOf(List.of(use, use), view.use(0).orElseThrow());
        reservations.reassign(moved, "a", _ -> List.of(new Seat<>(B, OptionalInt.empty(), "on b")));
        assertIsTheProductOf(List.of(use), view.use(0).orElseThrow());
        assertIsTheProductOf(List.of(use), view.use(1).orElseThrow());
        clock.advance(Duration.ofSeconds(60));
        reservations.expire(clock.instant());
        assertIsTheProductOf(List.of(), view.use(0).orElseThrow());
        assertIsTheProductOf(List.of(), view.use(1).orElseThrow());
        assertThat(reservations.find(expired)).isEmpty();
        assertThat(ledger.useBytes()).isZero();
    }

    @Test
    void aNewIncarnationStartsIdle() {
        open("r", PredictedUse.of(PredictedUseTest.floats(new SplittableRandom(1), CELLS), 10));
        LoadView reborn = ledger.view(List.of(new Incarnation("a", "2")));

        assertThat(reborn.use(0).orElseThrow().union()).isZero();
        assertThat(reborn.use(0).orElseThrow().requests()).isZero();
    }

    @Test
    void requestsOfOtherRoutersUseTheCommonPattern() {
        float[] pattern = new float[CELLS];
        pattern[0] = 0.5f;
        pattern[1] = 0.01f;
        ledger.others(A, Optional.of(UsePattern.of(pattern)));
        assertThat(view.use(0).orElseThrow().union()).isZero();

        ledger.report(A, Optional.of(EngineReport.of(3, 0)));
        DecoderUse use = view.use(0).orElseThrow();
        assertThat(use.idle(0)).isCloseTo(0.125, within(0.005));
        assertThat(use.idle(1)).isCloseTo(0.97, within(0.02));
        assertThat(use.idle(2)).isEqualTo(1);

        float[] mine = new float[CELLS];
        mine[2] = 0.5f;
        ReservationId id = open("mine", PredictedUse.of(mine, 0));
        assertThat(use.idle(0)).isCloseTo(0.125, within(0.005));
        assertThat(use.idle(2)).isCloseTo(0.5, within(0.06));
        reservations.close(id, Outcome.COMPLETED);
        ledger.report(A, Optional.of(EngineReport.of(0, 0)));
        assertThat(use.union()).isZero();
    }

    @Test
    void anotherModelIsTakenUpOnceTheOldRequestsAreGone() {
        ReservationId old = open("old", PredictedUse.of(new float[] {1, 1}, 5));
        ReservationId next = open("next", PredictedUse.of(new float[] {1, 0, 0}, 5));
        DecoderUse use = view.use(0).orElseThrow();
        assertThat(use.requests()).isEqualTo(2);
        assertThat(use.added(new float[3], 0.7)).isEqualTo(0.7);
        reservations.close(old, Outcome.COMPLETED);
        reservations.close(next, Outcome.COMPLETED);
        assertThat(use.requests()).isZero();

        open("later", PredictedUse.of(new float[] {1, 0, 0}, 5));
        assertThat(use.union()).isCloseTo(0.9785, within(1e-3));
    }

    @Test
    void beyondItsMemoryALedgerTakesNoMorePatternsOfTheirOwn() {
        LoadLedger small = new LoadLedger(100);
        PredictedUse use = PredictedUse.of(new float[CELLS], 0);
        small.view(List.of(A));
        assertThat(small.hasRoomFor(use)).isTrue();
        for (int i = 0; i < 2; i++) {
            small.tryReserve(A, i, OptionalInt.empty(), Optional.of(use));
        }

        assertThat(small.useBytes()).isEqualTo(96);
        assertThat(small.hasRoomFor(use)).isFalse();
        assertThat(small.hasRoomFor(use.sharedBy(3))).isTrue();
    }

    @RepeatedTest(5)
    void threadsThatOpenAndCloseAtOnceLeaveNothingBehind() throws Exception {
        DecoderUse use = view.use(0).orElseThrow();
        List<PredictedUse> left = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<List<PredictedUse>>> done = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                SplittableRandom random = new SplittableRandom(t);
                done.add(threads.submit(() -> openAndClose(use, random)));
            }
            for (Future<List<PredictedUse>> each : done) {
                left.addAll(each.get());
            }
        }
        assertIsTheProductOf(left, use);
    }

    private static List<PredictedUse> openAndClose(DecoderUse use, SplittableRandom random) {
        List<PredictedUse> open = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            if (open.isEmpty() || (open.size() < 8 && random.nextBoolean())) {
                open.add(PredictedUse.of(PredictedUseTest.floats(random, CELLS), i));
                use.open(open.getLast());
            } else {
                use.close(open.remove(random.nextInt(open.size())));
            }
        }
        return open;
    }

    private ReservationId open(String request, PredictedUse use) {
        return ((Opening.Opened<String>) reservations.open(
                        "pool",
                        request,
                        A,
                        ledger.inFlight(A),
                        OptionalInt.empty(),
                        Lease.ofSeconds(60),
                        "on a",
                        Optional.of(use)))
                .reservation()
                .id();
    }

    @Test
    void theMeanOfWhatOthersToldStandsForAsManyRequestsAsTheyHave() {
        PredictedUse one = PredictedUse.of(constant(0.5f), 10);
        PredictedUse two = PredictedUse.of(constant(0.1f), 10);
        LoadLedger first = holding(List.of(one, one));
        LoadLedger second = holding(List.of(two));
        ledger.routers(3);
        ledger.report(A, Optional.of(EngineReport.of(3, 0)));

        ledger.others(
                A,
                UsePattern.meanOf(List.of(
                        first.use(A).orElseThrow(),
                        second.use(A).orElseThrow(),
                        ledger.use(A).orElseThrow())));

        double expected = plainIdle(List.of(one, one, two), 0);
        assertThat(ledger.use(A).orElseThrow().idle(0)).isCloseTo(expected, within(0.02));
        assertThat(UsePattern.meanOf(List.of(ledger.use(B).orElseThrow()))).isEmpty();
        assertThat(UsePattern.meanOf(List.of())).isEmpty();
    }

    private static LoadLedger holding(List<PredictedUse> uses) {
        LoadLedger holding = new LoadLedger();
        holding.view(List.of(A));
        for (int i = 0; i < uses.size(); i++) {
            assertThat(holding.tryReserve(A, i, OptionalInt.empty(), Optional.of(uses.get(i))))
                    .isInstanceOf(LoadLedger.Reserved.class);
        }
        return holding;
    }

    private static float[] constant(float probability) {
        float[] values = new float[CELLS];
        Arrays.fill(values, probability);
        return values;
    }
}
