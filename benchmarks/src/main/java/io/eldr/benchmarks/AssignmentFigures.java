package io.eldr.benchmarks;

/**
 * How long the exact assignment of n rows to k clusters takes, and what it costs.
 *
 * @param exactMs the core's own method
 * @param orToolsMs OR-Tools' min-cost flow on the same costs, without building its graph
 * @param objective total cost that the core's method found
 * @param orToolsObjective total cost that OR-Tools found
 * @param n1000ExactMs the core's own method at 1,000 rows and 16 clusters
 * @param n1000HungarianMs the Hungarian method on replicated centroids there
 */
record AssignmentFigures(
        int n,
        int k,
        double exactMs,
        double orToolsMs,
        double objective,
        double orToolsObjective,
        double n1000ExactMs,
        double n1000HungarianMs) {}
