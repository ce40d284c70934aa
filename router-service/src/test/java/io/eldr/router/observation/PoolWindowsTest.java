package io.eldr.router.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.eldr.core.artifact.HeldOutStatistics;
import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.drift.DriftBaseline;
import io.eldr.core.drift.ObservationWindow;
import io.eldr.core.load.Incarnation;
import io.eldr.core.load.LoadView;
import io.eldr.core.routing.ActiveArtifact;
import io.eldr.core.routing.BandRule;
import io.eldr.core.routing.Decision;
import io.eldr.core.routing.DecisionRequest;
import io.eldr.core.routing.Decoder;
import io.eldr.core.routing.PolicyName;
import io.eldr.core.routing.PoolSnapshot;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.router.testing.Fixtures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PoolWindowsTest {
    private static final int CLUSTERS = 5;
    private static final int BINS = 20;
    private static final RoutingArtifact ARTIFACT = Fixtures.withStatistics(Fixtures.artifact(3, CLUSTERS), BINS);

    private final PoolWindows windows =
            PoolWindows.of(7, DriftBaseline.of(ARTIFACT).orElseThrow(), 2);

    @Test
    void aRequestCountsWhereAllCentroidsPutItAlsoIfItsDecoderIsNotThere() throws InterruptedException {
        ExpertCounts counts = Fixtures.counts(4, 30);
        double[] similarities =
                ARTIFACT.centroids().similarities(ARTIFACT.spec().signatureOf(counts));
        int nearest = 0;
        for (int k = 1; k < CLUSTERS; k++) {
            nearest = similarities[k] > similarities[nearest] ? k : nearest;
        }
        int away = nearest;
        List<Decoder> others = decoders()
                .filter(decoder -> !decoder.id().equals("decoder-" + away))
                .toList();
        windows.record(decide(decoders().toList(), DecisionRequest.of(counts), 0));
        windows.record(decide(others, DecisionRequest.of(counts), 0));
        windows.record(decide(others, DecisionRequest.of(counts), 1));
        windows.record(decide(others, DecisionRequest.unknown(), 0));
        windows.record(decide(others, DecisionRequest.of(ExpertCounts.zero(4, 8)), 0));

        ObservationWindow window = windows.take().orElseThrow();
        assertThat(window.requests()).isEqualTo(5);
        assertThat(window.withoutSignature()).isEqualTo(2);
        assertThat(window.nearest().get(nearest)).isEqualTo(3);
        assertThat(window.similarities().get(HeldOutStatistics.similarityBin(similarities[nearest], BINS)))
                .isEqualTo(3);
        assertThat(window.meanSimilarity()).isCloseTo(similarities[nearest], within(1e-6));
        assertThat(window.spilled()).isEqualTo(2);
        assertThat(window.singletonBands()).isEqualTo(2);
        assertThat(windows.take()).isEmpty();
    }

    @Test
    void manyThreadsLoseNothingWhileWindowsAreTaken() throws Exception {
        int threads = 4;
        int each = 20_000;
        Decision.Chosen chosen = decide(decoders().toList(), DecisionRequest.of(Fixtures.counts(2, 10)), 0.1);
        List<ObservationWindow> taken = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> deciding = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                deciding.add(executor.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        windows.record(chosen);
                    }
                }));
            }
            while (deciding.stream().anyMatch(future -> !future.isDone())) {
                windows.take().ifPresent(taken::add);
            }
            for (Future<?> future : deciding) {
                future.get();
            }
        }
        windows.take().ifPresent(taken::add);
        assertThat(taken.stream().mapToLong(ObservationWindow::requests).sum()).isEqualTo((long) threads * each);
    }

    @Test
    void underAnArtifactWithoutStatisticsNothingIsCounted() throws InterruptedException {
        PoolWindows nothing = PoolWindows.ofNothing(7);
        nothing.record(decide(decoders().toList(), DecisionRequest.of(Fixtures.counts(2, 10)), 0.1));
        assertThat(nothing.take()).isEmpty();
    }

    private static Stream<Decoder> decoders() {
        return Fixtures.slots(CLUSTERS).stream().map(slot -> Decoder.of(new Incarnation(slot, "1"), "http://" + slot));
    }

    private static Decision.Chosen decide(List<Decoder> decoders, DecisionRequest request, double tau) {
        PoolSnapshot snapshot = PoolSnapshot.of(
                "pool",
                7,
                Optional.of(ActiveArtifact.of(1, ARTIFACT, Fixtures.slots(CLUSTERS))),
                decoders,
                new BandRule(tau, 2),
                false);
        return (Decision.Chosen) PolicyName.ELDR
                .create()
                .decide(request, snapshot, LoadView.idle(decoders.size()), new SplittableRandom(1));
    }
}
