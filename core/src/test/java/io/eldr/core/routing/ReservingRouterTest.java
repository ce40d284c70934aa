package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.load.Lease;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.LoadView;
import io.eldr.core.load.Outcome;
import io.eldr.core.load.Reservation;
import io.eldr.core.load.ReservationListener;
import io.eldr.core.load.Reservations;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ReservingRouterTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

    private final LoadLedger ledger = new LoadLedger();
    private final Reservations<Decision.Chosen> reservations = new Reservations<>(
            "router-a", 1, ledger, CLOCK, ReservationListener.none(), Reservations.DEFAULT_REMEMBERED);
    private final ReservingRouter<Decision.Chosen> router = new ReservingRouter<>(reservations);

    @RepeatedTest(20)
    void aBurstOfSimultaneousRequestsOnIdleDecodersIsLevel() throws Exception {
        PoolState state = state(TestPools.decoders(8));
        List<Integer> sent = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                String requestId = "request-" + i;
                done.add(threads.submit(() -> {
                    start.await();
                    return route(requestId, DecisionRequest.unknown(), state);
                }));
            }
            start.countDown();
            for (Future<?> each : done) {
                assertThat(each.get()).isInstanceOf(ReservingRouter.Opened.class);
            }
        }
        IntStream.range(0, 8).forEach(i -> sent.add(state.loads().inFlight(i)));

        assertThat(sent).containsOnly(25);
    }

    @RepeatedTest(5)
    void simultaneousRequestsNeverExceedALimit() throws Exception {
        PoolState state = state(List.of(TestPools.limited("a", 3), TestPools.limited("b", 5)));
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<ReservingRouter.Routed<Decision.Chosen>>> done = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String requestId = "request-" + i;
                done.add(threads.submit(() -> route(requestId, DecisionRequest.unknown(), state)));
            }
            int opened = 0;
            for (Future<ReservingRouter.Routed<Decision.Chosen>> each : done) {
                switch (each.get()) {
                    case ReservingRouter.Opened<Decision.Chosen> _ -> opened++;
                    case ReservingRouter.Refused<Decision.Chosen>(Decision.Unplaced why) ->
                        assertThat(why).isEqualTo(new Decision.AllAtCapacity());
                    case ReservingRouter.Repeated<Decision.Chosen> _ -> throw new AssertionError("nothing repeats");
                }
            }
            assertThat(opened).isEqualTo(8);
        }
        assertThat(state.loads().inFlight(0)).isEqualTo(3);
        assertThat(state.loads().inFlight(1)).isEqualTo(5);
    }

    @Test
    void theSameRequestGetsTheSameAnswerWhileItIsOpenAndANewOneAfterwards() {
        PoolState state = state(TestPools.decoders(4));

        Reservation<Decision.Chosen> first = opened(route("r", DecisionRequest.unknown(), state));
        assertThat(route("r", DecisionRequest.unknown(), state)).isEqualTo(new ReservingRouter.Repeated<>(first));
        assertThat(reservations.open()).isEqualTo(1);
        reservations.close(first.id(), Outcome.COMPLETED);
        Reservation<Decision.Chosen> second = opened(route("r", DecisionRequest.unknown(), state));

        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(reservations.open()).isEqualTo(1);
    }

    @Test
    void aPoolThatCannotTakeARequestSaysWhy() {
        PoolState state = state(TestPools.decoders(2));

        assertThat(route("r", DecisionRequest.unknown().onlyTo(Set.of("elsewhere")), state))
                .isEqualTo(new ReservingRouter.Refused<>(new Decision.NoneEligible()));
        assertThat(reservations.open()).isZero();
    }

    @Test
    void aDecisionOnADecoderThatJustLeftIsMadeAgainOnTheNewState() {
        PoolState before = state(List.of(TestPools.decoder("left")));
        PoolState after = state(List.of(TestPools.decoder("stayed")));
        LoadView stale = LoadView.idle(1);
        PoolState outdated = new PoolState(before.snapshot(), stale, before.policy());
        ledger.retainOnly(Set.of(TestPools.decoder("stayed").incarnation()));
        List<PoolState> states = new ArrayList<>(List.of(outdated, before));

        Reservation<Decision.Chosen> reservation = opened(router.route(
                "demo",
                "r",
                DecisionRequest.unknown(),
                Lease.DEFAULT,
                () -> states.size() == 2 ? states.removeFirst() : after,
                new SplittableRandom(1),
                chosen -> chosen));

        assertThat(reservation.incarnation().slot()).isEqualTo("stayed");
    }

    private PoolState state(List<Decoder> decoders) {
        PoolSnapshot snapshot = TestPools.withoutArtifact(decoders);
        return new PoolState(snapshot, ledger.view(snapshot.incarnations()), PolicyName.JSQ.create());
    }

    private ReservingRouter.Routed<Decision.Chosen> route(String requestId, DecisionRequest request, PoolState state) {
        return router.route(
                "demo",
                requestId,
                request,
                Lease.DEFAULT,
                () -> state,
                new SplittableRandom(requestId.hashCode()),
                chosen -> chosen);
    }

    private static Reservation<Decision.Chosen> opened(ReservingRouter.Routed<Decision.Chosen> routed) {
        return ((ReservingRouter.Opened<Decision.Chosen>) routed).reservation();
    }
}
