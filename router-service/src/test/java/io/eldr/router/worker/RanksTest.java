package io.eldr.router.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.load.Incarnation;
import io.eldr.router.worker.Ranks.Seat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Places on the ranks inside workers. */
class RanksTest {
    private static final Incarnation WORKER = new Incarnation("decoder-0", "a");

    private final Ranks ranks = new Ranks(new SplittableRandom(5));

    @Test
    void aWorkerWhoseRanksAreNotKnownOrThatHasButOneHasNoPlaces() {
        assertThat(ranks.take(WORKER)).isEmpty();
        ranks.report(WORKER, List.of(), List.of());
        assertThat(ranks.take(WORKER)).isEmpty();
        ranks.report(WORKER, List.of(7), List.of());
        assertThat(ranks.take(WORKER)).isEmpty();
        assertThat(ranks.inFlight(WORKER)).isEmpty();
    }

    @Test
    void requestsOfThisRouterSpreadEvenly() {
        ranks.report(WORKER, List.of(0, 0, 0, 0), List.of());

        List<Seat> seats = take(12);

        assertThat(ranks.inFlight(WORKER)).containsExactly(3, 3, 3, 3);
        seats.forEach(Seat::leave);
        seats.forEach(Seat::leave);
        assertThat(ranks.inFlight(WORKER)).containsExactly(0, 0, 0, 0);
    }

    @Test
    void requestsOfOthersCountAsTheEngineReportsThem() {
        ranks.report(WORKER, List.of(5, 0, 2), List.of());

        assertThat(take(5)).extracting(Seat::rank).containsExactlyInAnyOrder(1, 1, 1, 2, 1);
    }

    @Test
    void whatWasSentBeforeAReportIsInItAndCountsOnce() {
        ranks.report(WORKER, List.of(0, 0), List.of());
        take(4);

        ranks.report(WORKER, List.of(2, 3), ranks.inFlight(WORKER));

        assertThat(take(1)).extracting(Seat::rank).containsExactly(0);
    }

    @Test
    void aReportThatIsTooOldLeavesTheOwnRequests() {
        ranks.report(WORKER, List.of(0, 0), List.of());
        int mine = take(1).getFirst().rank();
        List<Integer> others = new ArrayList<>(Collections.nCopies(2, 0));
        others.set(1 - mine, 50);
        ranks.report(WORKER, others, List.of(0, 0));

        ranks.takeBack(WORKER);

        assertThat(take(1)).extracting(Seat::rank).containsExactly(1 - mine);
    }

    @Test
    void aWorkerThatIsForgottenAndComesBackStartsAnew() {
        ranks.report(WORKER, List.of(9, 0), List.of());
        Seat late = take(1).getFirst();
        ranks.forget(WORKER);
        assertThat(ranks.take(WORKER)).isEmpty();

        Incarnation next = new Incarnation("decoder-0", "b");
        ranks.report(next, List.of(0, 0), List.of());
        late.leave();

        assertThat(ranks.inFlight(next)).containsExactly(0, 0);
        assertThat(ranks.take(next)).isPresent();
    }

    @Test
    void aWorkerMayComeToHaveMoreRanksOrOne() {
        ranks.report(WORKER, List.of(0, 0), List.of());
        take(2);
        ranks.report(WORKER, List.of(1, 1, 0, 0), ranks.inFlight(WORKER));
        assertThat(take(2)).extracting(Seat::rank).containsExactlyInAnyOrder(2, 3);

        ranks.report(WORKER, List.of(4), List.of());
        assertThat(ranks.take(WORKER)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void placesTakenAtTheSameTimeSpreadEvenlyAndAreAllGivenBack(long seed) throws Exception {
        Ranks shared = new Ranks(new Random(seed));
        shared.report(WORKER, Collections.nCopies(8, 0), List.of());
        ConcurrentLinkedQueue<Seat> seats = new ConcurrentLinkedQueue<>();
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> taking = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                taking.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < 200; i++) {
                        seats.add(shared.take(WORKER).orElseThrow());
                    }
                    return seats;
                }));
            }
            start.countDown();
            for (Future<?> each : taking) {
                each.get();
            }
        }

        assertThat(seats).hasSize(800);
        assertThat(shared.inFlight(WORKER)).allMatch(count -> count >= 97 && count <= 103);
        seats.forEach(Seat::leave);
        assertThat(shared.inFlight(WORKER)).containsOnly(0);
    }

    private List<Seat> take(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> ranks.take(WORKER).orElseThrow())
                .toList();
    }
}
