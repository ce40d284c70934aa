package io.eldr.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.load.EngineReport;
import io.eldr.core.load.Incarnation;
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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Routers that share decoders, with JSQ over all: each sees its own reservations at once and those of the others in what
 * engines report every five seconds. How uneven the decoders get, as the mean over time of the highest in-flight count
 * over the mean one.
 */
class SeveralRoutersTest {
    private static final int ROUTERS = 4;
    private static final int DECODERS = 16;
    private static final double ARRIVALS_PER_SECOND = 40;
    private static final double MEAN_SECONDS = 8;
    private static final double SNAPSHOT_SECONDS = 5;
    private static final double SECONDS = 400;
    private static final double WARM_UP_SECONDS = 40;

    /** What happens at a time. */
    private record Event(double at, Runnable what) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void theyKeepDecodersLevelOnSnapshotsThatAreFiveSecondsOld(long seed) {
        assertThat(new Simulation(seed, new double[] {1, 1, 1, 1}, 0).run()).isLessThan(1.2);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void whatEnginesReportAloneWouldSendAllRoutersToTheSameDecoder(long seed) {
        Simulation simulation = new Simulation(seed, new double[] {1, 1, 1, 1}, 0);
        simulation.routers.replaceAll(router -> router.goingByReportsAlone(simulation.decoders));

        assertThat(simulation.run()).isGreaterThan(2);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void theyKeepDecodersLevelWhereOneRouterHasNinetyPercentOfTheTraffic(long seed) {
        assertThat(new Simulation(seed, new double[] {90, 4, 3, 3}, 0).run()).isLessThan(1.2);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void aDecoderWithoutReportsGetsNoMoreThanTheOthers(long seed) {
        Simulation simulation = new Simulation(seed, new double[] {1, 1, 1, 1}, 1);
        simulation.run();

        assertThat(simulation.meanShare(0)).isBetween(0.9, 1.1);
    }

    /** A router with its view of the decoders. */
    private static final class Router {
        private final LoadLedger ledger = new LoadLedger();
        private final Reservations<Integer> reservations;
        private final ReservingRouter<Integer> routing;
        private PoolState state;

        private Router(int index, InstantSource clock, List<Decoder> decoders) {
            reservations = new Reservations<>("router-" + index, 1, ledger, clock, ReservationListener.none(), 10);
            routing = new ReservingRouter<>(reservations);
            ledger.routers(ROUTERS);
            PoolSnapshot snapshot = PoolSnapshot.of("demo", 0, Optional.empty(), decoders, new BandRule(1, 1), false);
            LoadView loads = ledger.view(snapshot.incarnations());
            state = new PoolState(snapshot, loads, PolicyName.JSQ.create());
        }

        /** It no longer counts what it did since the report. */
        private Router goingByReportsAlone(List<Decoder> decoders) {
            LoadView exact = state.loads();
            LoadView reports = new LoadView() {
                @Override
                public int size() {
                    return exact.size();
                }

                @Override
                public int inFlight(int decoder) {
                    return exact.inFlight(decoder);
                }

                @Override
                public double load(int decoder, int inFlight) {
                    return ledger.report(decoders.get(decoder).incarnation())
                            .map(EngineReport::requests)
                            .orElse(0);
                }
            };
            state = new PoolState(state.snapshot(), reports, state.policy());
            return this;
        }
    }

    private static final class Simulation {
        private final SplittableRandom random;
        private final double[] traffic;
        private final int silent;
        private final List<Decoder> decoders = TestPools.decoders(DECODERS);
        private final List<Router> routers = new ArrayList<>();
        private final int[] inFlight = new int[DECODERS];
        private final double[] held = new double[DECODERS];
        private final PriorityQueue<Event> events = new PriorityQueue<>((a, b) -> Double.compare(a.at(), b.at()));
        private double now;
        private int requests;
        private double unevenness;
        private int samples;

        /**
         * @param traffic how much each router gets in relation to the others
         * @param silent how many decoders, the first ones, report nothing
         */
        private Simulation(long seed, double[] traffic, int silent) {
            this.random = new SplittableRandom(seed);
            this.traffic = traffic;
            this.silent = silent;
            InstantSource clock = () -> Instant.EPOCH.plusMillis((long) (now * 1_000));
            for (int r = 0; r < ROUTERS; r++) {
                routers.add(new Router(r, clock, decoders));
            }
        }

        private double run() {
            for (Router router : routers) {
                for (int d = silent; d < DECODERS; d++) {
                    int decoder = d;
                    events.add(new Event(random.nextDouble() * SNAPSHOT_SECONDS, () -> scrape(router, decoder)));
                }
            }
            events.add(new Event(0, this::arrive));
            events.add(new Event(WARM_UP_SECONDS, this::sample));
            while (now < SECONDS) {
                Event next = events.remove();
                now = next.at();
                next.what().run();
            }
            return unevenness / samples;
        }

        /** A decoder's mean in-flight count over that of all. */
        private double meanShare(int decoder) {
            return held[decoder] / Arrays.stream(held).average().orElseThrow();
        }

        private void scrape(Router router, int decoder) {
            Incarnation incarnation = decoders.get(decoder).incarnation();
            router.ledger.report(
                    incarnation, Optional.of(EngineReport.of(inFlight[decoder], router.ledger.inFlight(incarnation))));
            events.add(new Event(now + SNAPSHOT_SECONDS, () -> scrape(router, decoder)));
        }

        private void arrive() {
            Router router = routers.get(draw());
            ReservingRouter.Routed<Integer> routed = router.routing.route(
                    "demo",
                    "request-" + requests++,
                    DecisionRequest.unknown(),
                    Lease.ofSeconds(600),
                    () -> router.state,
                    random,
                    Decision.Chosen::index);
            Reservation<Integer> reservation = ((ReservingRouter.Opened<Integer>) routed).reservation();
            int decoder = reservation.decision();
            inFlight[decoder]++;
            events.add(new Event(now + exponential(MEAN_SECONDS), () -> {
                inFlight[decoder]--;
                router.reservations.close(reservation.id(), Outcome.COMPLETED);
            }));
            events.add(new Event(now + exponential(1 / ARRIVALS_PER_SECOND), this::arrive));
        }

        private void sample() {
            unevenness += Arrays.stream(inFlight).max().orElseThrow()
                    / Arrays.stream(inFlight).average().orElseThrow();
            samples++;
            for (int d = 0; d < DECODERS; d++) {
                held[d] += inFlight[d];
            }
            events.add(new Event(now + 0.1, this::sample));
        }

        private int draw() {
            double point = random.nextDouble() * Arrays.stream(traffic).sum();
            int router = 0;
            while (router < ROUTERS - 1 && point >= traffic[router]) {
                point -= traffic[router++];
            }
            return router;
        }

        private double exponential(double mean) {
            return -mean * Math.log(1 - random.nextDouble());
        }
    }
}
