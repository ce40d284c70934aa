package io.eldr.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.routing.PolicyName;
import io.eldr.simulator.testing.MadeUp;
import io.eldr.simulator.workload.Arrivals;
import io.eldr.simulator.workload.Mix;
import io.eldr.simulator.workload.ServedRequests;
import io.eldr.simulator.workload.Workload;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Policy union in a simulated pool, by what prompts foretell and by what is recorded. */
class UnionSimulationTest {
    private static final int DOMAINS = 4;
    private static final ServedRequests SERVED = MadeUp.served(200, DOMAINS, 11);
    private static final RoutingArtifact ARTIFACT = MadeUp.artifact(4, DOMAINS, 5);
    private static final Workload WORKLOAD = Workload.of(
            SERVED, new Arrivals.Poisson(60, OptionalInt.empty(), 200), new Mix.Recorded(), Optional.empty(), 2_000, 2);

    private static RunFigures run(ClusterSettings settings, PolicyName policy, UseSource use) {
        return Simulation.run(WORKLOAD, settings, ARTIFACT, OptionalDouble.empty(), policy::create, use, 3);
    }

    private static ClusterSettings pool(int routers, List<Change.Timed> changes) {
        return new ClusterSettings(4, 4, MadeUp.CONSTANTS, 1, false, routers, 1, false, 0, changes);
    }

    private static ClusterSettings exchanging(int routers) {
        return new ClusterSettings(4, 4, MadeUp.CONSTANTS, 1, false, routers, 1, true, 0, List.of());
    }

    @Test
    void itLoadsFewerExpertsThanTurnsDo() {
        RunFigures turns = run(pool(1, List.of()), PolicyName.ROUND_ROBIN, UseSource.NONE);
        RunFigures foretold = run(pool(1, List.of()), PolicyName.UNION, UseSource.FORECAST);
        RunFigures told = run(pool(1, List.of()), PolicyName.UNION, UseSource.TRUTH);

        assertThat(foretold.meanUnion()).isLessThan(0.92 * turns.meanUnion());
        assertThat(foretold.tpotMs().p50()).isLessThan(0.95 * turns.tpotMs().p50());
        assertThat(told.tpotMs().p50()).isLessThan(0.95 * turns.tpotMs().p50());
        assertThat(run(pool(1, List.of()), PolicyName.UNION, UseSource.FORECAST))
                .isEqualTo(foretold);
    }

    @Test
    void severalRoutersAgreeByTheClustersWhoServesWhat() {
        RunFigures turns = run(pool(4, List.of()), PolicyName.ROUND_ROBIN, UseSource.NONE);
        RunFigures union = run(pool(4, List.of()), PolicyName.UNION, UseSource.FORECAST);

        assertThat(union.tpotMs().p50()).isLessThan(0.97 * turns.tpotMs().p50());
        assertThat(union.maxOverMeanLoad()).isLessThan(1.5);
    }

    @Test
    void routersThatTellEachOtherWhatTheirRequestsUseDecideOtherwiseAndNoWorse() {
        RunFigures alone = run(pool(4, List.of()), PolicyName.UNION, UseSource.FORECAST);
        RunFigures told = run(exchanging(4), PolicyName.UNION, UseSource.FORECAST);

        assertThat(told).isNotEqualTo(alone);
        assertThat(told.tpotMs().p50()).isLessThan(1.03 * alone.tpotMs().p50());
        assertThat(run(exchanging(4), PolicyName.UNION, UseSource.FORECAST)).isEqualTo(told);
        assertThat(run(exchanging(1), PolicyName.UNION, UseSource.FORECAST))
                .as("one router has nobody to tell")
                .isEqualTo(run(pool(1, List.of()), PolicyName.UNION, UseSource.FORECAST));
    }

    @Test
    void whatALostDecoderRanIsServedElsewhere() {
        RunFigures union = run(
                pool(1, List.of(new Change.Timed(10, new Change.Fail(1)), new Change.Timed(15, new Change.Return(1)))),
                PolicyName.UNION,
                UseSource.FORECAST);

        assertThat(union.unstable()).isEmpty();
        assertThat(union.measured()).isEqualTo(1_400);
    }
}
