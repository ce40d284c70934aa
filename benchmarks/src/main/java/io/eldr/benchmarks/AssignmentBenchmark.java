package io.eldr.benchmarks;

import com.google.ortools.Loader;
import com.google.ortools.graph.MinCostFlow;
import com.google.ortools.graph.MinCostFlowBase;
import io.eldr.core.clustering.Assignment;
import io.eldr.core.clustering.CapacityAssignment;
import io.eldr.core.clustering.Centroids;
import io.eldr.core.clustering.KMeansPlusPlus;
import io.eldr.core.clustering.SignatureMatrix;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.LayerMask;
import io.eldr.core.signature.Signature;
import io.eldr.core.signature.SignatureSpec;
import io.eldr.core.vector.Parallel;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The first assignment of a K-means start, made by three methods: cosine distances of signatures to k-means++ seeds. At
 * 1,000 rows the methods are warmed up; at many rows each runs once after that.
 */
final class AssignmentBenchmark {
    /** Fewer layers than a model has: the assignment sees distances only. */
    private static final Geometry GEOMETRY = new Geometry(6, 128, 8);

    private static final SignatureSpec SPEC =
            SignatureSpec.count(GEOMETRY.layers(), GEOMETRY.experts(), LayerMask.all(GEOMETRY.layers()));
    private static final int SEEDED_FROM = 2_000;
    private static final long SEED = 1;
    private static final int SMALL_ROWS = 1_000;
    private static final int SMALL_CLUSTERS = 16;
    private static final int WARM_UP_RUNS = 5;
    /** OR-Tools takes whole numbers. */
    private static final double SCALE = 1e9;

    private AssignmentBenchmark() {}

    static AssignmentFigures measure(int rows, int clusters) {
        MadeUpRequests requests = new MadeUpRequests(GEOMETRY, FitBenchmark.TOPICS, SEED);
        double[] smallCosts = costs(requests, SMALL_ROWS, SMALL_CLUSTERS);
        for (int run = 0; run < WARM_UP_RUNS; run++) {
            solve(smallCosts, SMALL_ROWS, SMALL_CLUSTERS);
            ReplicatedHungarian.solve(smallCosts, SMALL_ROWS, SMALL_CLUSTERS);
        }
        Stopwatch smallExact = new Stopwatch();
        Assignment small = smallExact.time(() -> solve(smallCosts, SMALL_ROWS, SMALL_CLUSTERS));
        Stopwatch hungarian = new Stopwatch();
        double hungarianObjective =
                hungarian.time(() -> ReplicatedHungarian.solve(smallCosts, SMALL_ROWS, SMALL_CLUSTERS));
        requireEqual("the Hungarian method", hungarianObjective, small.objective());

        double[] costs = costs(requests, rows, clusters);
        Stopwatch exact = new Stopwatch();
        Assignment assignment = exact.time(() -> solve(costs, rows, clusters));
        Stopwatch orTools = new Stopwatch();
        double orToolsObjective = orTools(costs, rows, clusters, orTools);
        requireEqual("OR-Tools", orToolsObjective, assignment.objective());
        return new AssignmentFigures(
                rows,
                clusters,
                exact.millis(),
                orTools.millis(),
                assignment.objective(),
                orToolsObjective,
                smallExact.millis(),
                hungarian.millis());
    }

    private static double[] costs(MadeUpRequests requests, int rows, int clusters) {
        List<ExpertCounts> first = IntStream.range(0, Math.min(rows, SEEDED_FROM))
                .mapToObj(requests::prompt)
                .toList();
        int[] seeds = KMeansPlusPlus.seeds(
                SignatureMatrix.of(SPEC, first), clusters, new SplittableRandom(SEED), Parallel.sequential());
        float[] values = new float[clusters * SPEC.dimensions()];
        for (int k = 0; k < clusters; k++) {
            SPEC.signatureOf(first.get(seeds[k])).copyTo(values, k * SPEC.dimensions());
        }
        Centroids centroids = Centroids.of(clusters, SPEC.dimensions(), values);
        double[] costs = new double[rows * clusters];
        for (int row = 0; row < rows; row++) {
            Signature signature = SPEC.signatureOf(requests.prompt(row));
            double[] similarities = centroids.similarities(signature);
            for (int k = 0; k < clusters; k++) {
                costs[row * clusters + k] = 1 - similarities[k];
            }
        }
        return costs;
    }

    private static Assignment solve(double[] costs, int rows, int clusters) {
        return CapacityAssignment.solve(costs, rows, CapacityAssignment.evenCapacities(rows, clusters));
    }

    private static double orTools(double[] costs, int rows, int clusters, Stopwatch stopwatch) {
        Loader.loadNativeLibraries();
        MinCostFlow flow = new MinCostFlow(rows + clusters + 1, rows * clusters + clusters);
        int sink = rows + clusters;
        for (int row = 0; row < rows; row++) {
            for (int k = 0; k < clusters; k++) {
                flow.addArcWithCapacityAndUnitCost(row, rows + k, 1, Math.round(costs[row * clusters + k] * SCALE));
            }
            flow.setNodeSupply(row, 1);
        }
        int[] capacities = CapacityAssignment.evenCapacities(rows, clusters);
        for (int k = 0; k < clusters; k++) {
            flow.addArcWithCapacityAndUnitCost(rows + k, sink, capacities[k], 0);
        }
        flow.setNodeSupply(sink, -rows);
        MinCostFlowBase.Status status = stopwatch.time(flow::solve);
        if (status != MinCostFlowBase.Status.OPTIMAL) {
            throw new IllegalStateException("OR-Tools found no optimum: " + status);
        }
        return flow.getOptimalCost() / SCALE;
    }

    /** Times of methods that do not find the same optimum are not comparable. */
    private static void requireEqual(String method, double objective, double expected) {
        if (Math.abs(objective - expected) > 1e-6 * Math.abs(expected)) {
            throw new IllegalStateException(
                    method + " finds the objective " + objective + " but the exact assignment finds " + expected);
        }
    }
}
