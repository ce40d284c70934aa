package io.eldr.simulator.cluster;

import io.eldr.core.load.EngineReport;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadLedger;
import io.eldr.core.load.LoadView;
import io.eldr.core.load.UsePattern;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.routing.RoutingPolicy;
import io.eldr.core.routing.StarvationRule;
import io.eldr.core.routing.StarvationWatch;
import io.eldr.core.routing.UsePrediction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * One of the routers before a pool: the router's own policy on its own ledger of loads, exact for its own requests and as
 * old as the last scrape for those of the others. Everything that a policy sees in a simulation goes through here.
 */
final class SimulatedRouter {
    private static final double NANOS = 1e9;

    private final LoadLedger ledger = new LoadLedger();
    private final StarvationWatch starvation = new StarvationWatch(StarvationRule.DEFAULT);
    private final RoutingPolicy policy;
    private final RandomGenerator random;
    private PoolSnapshot snapshot;
    private LoadView loads;

    /** @param routers how many there are, this one included */
    SimulatedRouter(RoutingPolicy policy, PoolSnapshot snapshot, int routers, RandomGenerator random) {
        this.policy = starvation.guarding(policy);
        this.random = random;
        this.snapshot = snapshot;
        this.loads = view(snapshot);
        ledger.routers(routers);
    }

    private LoadView view(PoolSnapshot next) {
        LoadView view = ledger.view(next.incarnations());
        for (int i = 0; i < next.incarnations().size(); i++) {
            ledger.others(next.incarnations().get(i), next.pattern(i));
        }
        return view;
    }

    /** Goes on with another state of the pool. */
    void follow(PoolSnapshot next) {
        snapshot = next;
        loads = view(next);
        ledger.retainOnly(Set.copyOf(next.incarnations()));
    }

    /**
     * Decides and reserves.
     *
     * @return empty if no decoder is eligible
     */
    Optional<Placement> place(DecisionRequest request) {
        if (!(policy.decide(request, snapshot, loads, random) instanceof Decision.Chosen chosen)) {
            return Optional.empty();
        }
        LoadLedger.Attempt attempt = ledger.tryReserve(
                chosen.decoder().incarnation(),
                chosen.seen(),
                chosen.decoder().maxInFlight(),
                request.use().map(UsePrediction::own));
        if (!(attempt instanceof LoadLedger.Reserved reserved)) {
            throw new IllegalStateException("nobody else reserves here, but " + attempt);
        }
        return Optional.of(new Placement(PoolView.workerOf(chosen.decoder().incarnation()), chosen, reserved.unit()));
    }

    /** Gives the load of a request back: it is done, or its decoder is gone. */
    void close(Placement placement) {
        placement.unit().release();
    }

    /** Looks for decoders that stand idle while others queue, as the router does every second. */
    void watch(double seconds) {
        starvation.observe(snapshot, loads, Instant.EPOCH.plusNanos((long) (seconds * NANOS)));
    }

    /** Takes in what other routers' requests on a decoder are expected to use. */
    void told(Incarnation incarnation, List<SimulatedRouter> others) {
        UsePattern.meanOf(others.stream()
                        .flatMap(router -> router.ledger.use(incarnation).stream())
                        .toList())
                .ifPresent(pattern -> ledger.others(incarnation, Optional.of(pattern)));
    }

    /** Takes in what a decoder's engine says of itself. */
    void scraped(Incarnation incarnation, int requests, double kvUse) {
        ledger.report(
                incarnation,
                Optional.of(new EngineReport(requests, ledger.inFlight(incarnation), OptionalDouble.of(kvUse))));
    }
}
