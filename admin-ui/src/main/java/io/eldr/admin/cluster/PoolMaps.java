package io.eldr.admin.cluster;

import io.eldr.admin.AdminProperties;
import io.eldr.admin.cluster.PoolMap.Missing;
import io.eldr.admin.cluster.PoolMap.Point;
import io.eldr.admin.upstream.Addresses;
import io.eldr.admin.upstream.AllRouters;
import io.eldr.admin.upstream.AllRouters.Answer;
import io.eldr.service.problem.ProblemType;
import io.eldr.service.problem.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/**
 * Puts the routers' maps together. Each computes the same plane from the same artifact, so points of one version lie on one
 * map; a router that serves another version than the newest is left out and named.
 */
@Component
final class PoolMaps {
    private final AllRouters routers;
    private final Duration timeout;

    PoolMaps(AllRouters routers, AdminProperties properties) {
        this.routers = routers;
        this.timeout = properties.live().timeout();
    }

    /** A router's own map; what it lacks of {@link PoolMap} is only who is missing. */
    private record RouterMap(
            long generation,
            OptionalInt artifactVersion,
            List<Double> explained,
            List<PoolMap.Centroid> centroids,
            List<Point> points,
            List<List<Integer>> spill,
            List<Map<String, Integer>> labels) {}

    PoolMap of(String pool, int limit) {
        String path = "/v1/pools/" + Addresses.encoded(pool) + "/map?limit=" + limit;
        List<Answer<RouterMap>> answers = routers.ask(path, RouterMap.class, timeout);
        List<RouterMap> found =
                answers.stream().flatMap(answer -> answer.value().stream()).toList();
        RouterMap newest = found.stream()
                .max(Comparator.comparingLong(RouterMap::generation))
                .orElseThrow(() -> none(answers));
        List<RouterMap> same = found.stream()
                .filter(map -> map.artifactVersion().equals(newest.artifactVersion()))
                .toList();
        return new PoolMap(
                pool,
                newest.generation(),
                newest.artifactVersion(),
                newest.explained(),
                newest.centroids(),
                same.stream()
                        .flatMap(map -> map.points().stream())
                        .sorted(Comparator.comparing(Point::at).reversed())
                        .limit(limit)
                        .toList(),
                spill(same, newest.centroids().size()),
                labels(same, newest.centroids().size()),
                missing(answers, newest));
    }

    private static RuntimeException none(List<Answer<RouterMap>> answers) {
        boolean allSaidNo =
                answers.stream().noneMatch(answer -> answer.failure().isPresent());
        return allSaidNo && !answers.isEmpty()
                ? Problems.exception(ProblemType.NOT_FOUND, "No router serves a pool of this name.")
                : Problems.exception(ProblemType.UNAVAILABLE, "No router that serves the pool can be reached now.");
    }

    private static List<Missing> missing(List<Answer<RouterMap>> answers, RouterMap newest) {
        List<Missing> missing = new ArrayList<>();
        for (Answer<RouterMap> answer : answers) {
            Optional<String> reason = answer.value().isEmpty()
                    ? Optional.of(answer.failure().orElse("does not serve this pool"))
                    : answer.value()
                            .filter(map -> !map.artifactVersion().equals(newest.artifactVersion()))
                            .map(map -> "serves generation " + map.generation());
            reason.ifPresent(text -> missing.add(new Missing(answer.router().instance(), text)));
        }
        return missing;
    }

    private static List<List<Integer>> spill(List<RouterMap> maps, int clusters) {
        List<List<Integer>> sum = new ArrayList<>();
        for (int row = 0; row < clusters; row++) {
            List<Integer> sums = new ArrayList<>();
            for (int column = 0; column < clusters; column++) {
                int from = row;
                int to = column;
                sums.add(maps.stream()
                        .mapToInt(map -> map.spill().get(from).get(to))
                        .sum());
            }
            sum.add(sums);
        }
        return sum;
    }

    private static List<Map<String, Integer>> labels(List<RouterMap> maps, int clusters) {
        List<Map<String, Integer>> sum = new ArrayList<>();
        for (int cluster = 0; cluster < clusters; cluster++) {
            Map<String, Integer> counts = new TreeMap<>();
            for (RouterMap map : maps) {
                map.labels().get(cluster).forEach((label, count) -> counts.merge(label, count, Integer::sum));
            }
            sum.add(counts);
        }
        return sum;
    }
}
