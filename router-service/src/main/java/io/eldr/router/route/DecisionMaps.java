package io.eldr.router.route;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.clustering.PrincipalPlane;
import io.eldr.core.routing.Evaluation;
import io.eldr.router.artifact.LoadedArtifact;
import io.eldr.router.pool.ServedState;
import io.eldr.router.route.MapAnswer.MapCentroid;
import io.eldr.router.route.MapAnswer.MapPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;

/** Draws the newest decisions of a pool on the plane of its centroids. */
@Component
final class DecisionMaps {
    /** More labels than this are no mix that one could look at. */
    private static final int MAX_LABELS = 50;

    private final DecisionLog log;
    private final int remembered;
    private final ConcurrentMap<String, Drawn> planes = new ConcurrentHashMap<>();

    /** A plane with what it was made from. */
    private record Drawn(String sha256, PrincipalPlane plane) {}

    DecisionMaps(DecisionLog log) {
        this.log = log;
        this.remembered = log.size();
    }

    MapAnswer of(ServedState state, int limit) {
        String pool = state.intent().name();
        return state.artifact().map(loaded -> of(state, loaded, limit)).orElseGet(() -> MapAnswer.empty(pool));
    }

    private MapAnswer of(ServedState state, LoadedArtifact loaded, int limit) {
        String pool = state.intent().name();
        RoutingArtifact artifact = loaded.artifact();
        PrincipalPlane plane = planes.compute(
                        pool,
                        (_, drawn) -> drawn != null
                                        && drawn.sha256().equals(loaded.stored().sha256())
                                ? drawn
                                : new Drawn(loaded.stored().sha256(), PrincipalPlane.of(artifact.centroids())))
                .plane();
        int version = loaded.activation().version();
        List<DecisionRecord> decisions = log.newest(pool, remembered).stream()
                .filter(decision -> isBy(version, artifact.clusters(), decision))
                .toList();
        return new MapAnswer(
                pool,
                state.version().generation(),
                OptionalInt.of(version),
                List.of(plane.explained(0), plane.explained(1)),
                IntStream.range(0, artifact.clusters())
                        .mapToObj(cluster -> new MapCentroid(
                                cluster,
                                artifact.slots().get(cluster),
                                plane.ofCentroid(0, cluster),
                                plane.ofCentroid(1, cluster)))
                        .toList(),
                decisions.stream()
                        .limit(limit)
                        .map(decision -> point(decision, plane))
                        .toList(),
                spill(decisions, artifact.clusters()),
                labels(decisions, artifact.clusters()));
    }

    /** Whether it was made by these centroids: policies that do not ask for similarities, and zero signatures, were not. */
    private static boolean isBy(int version, int clusters, DecisionRecord decision) {
        Evaluation evaluation = decision.chosen().evaluation();
        return decision.chosen().version().artifactVersion().equals(OptionalLong.of(version))
                && evaluation.clusters() == clusters
                && evaluation.similarity(nearest(evaluation)) > 0;
    }

    private static int nearest(Evaluation evaluation) {
        int nearest = 0;
        for (int cluster = 1; cluster < evaluation.clusters(); cluster++) {
            if (evaluation.similarity(cluster) > evaluation.similarity(nearest)) {
                nearest = cluster;
            }
        }
        return nearest;
    }

    private static MapPoint point(DecisionRecord decision, PrincipalPlane plane) {
        double[] similarities = decision.chosen().evaluation().similarities();
        return new MapPoint(
                decision.requestId(),
                decision.at(),
                decision.label(),
                decision.chosen().decoder().id(),
                nearest(decision.chosen().evaluation()),
                decision.chosen().cluster(),
                decision.chosen().similarity(),
                decision.chosen().reason().id(),
                plane.coordinate(0, similarities),
                plane.coordinate(1, similarities));
    }

    private static List<List<Integer>> spill(List<DecisionRecord> decisions, int clusters) {
        int[][] counts = new int[clusters][clusters];
        for (DecisionRecord decision : decisions) {
            decision.chosen().cluster().ifPresent(cluster -> {
                counts[nearest(decision.chosen().evaluation())][cluster]++;
            });
        }
        List<List<Integer>> rows = new ArrayList<>();
        for (int[] row : counts) {
            rows.add(IntStream.of(row).boxed().toList());
        }
        return rows;
    }

    private static List<Map<String, Integer>> labels(List<DecisionRecord> decisions, int clusters) {
        List<Map<String, Integer>> labels = new ArrayList<>();
        for (int cluster = 0; cluster < clusters; cluster++) {
            labels.add(new TreeMap<>());
        }
        for (DecisionRecord decision : decisions) {
            Map<String, Integer> counts = labels.get(nearest(decision.chosen().evaluation()));
            decision.label()
                    .filter(label -> counts.size() < MAX_LABELS || counts.containsKey(label))
                    .ifPresent(label -> counts.merge(label, 1, Integer::sum));
        }
        return labels;
    }
}
