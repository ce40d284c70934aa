package io.eldr.core.clustering;

import java.util.Arrays;

/**
 * For each pair of clusters (u, v) the row of u that is cheapest to move to v: the one with the lowest
 * {@code cost(i, v) - cost(i, u)}, of equals the lowest row.
 *
 * <p>One heap for each pair, built when u is first asked about. Rows that have left u are taken out only when they come to
 * the top, and a row that returns is put in again; a heap that is full of such leftovers is cleaned before it grows, so
 * memory stays O(N K).
 */
final class CheapestMovers {
    private final double[] costs;
    private final int clusters;
    /** The cluster of each row; changed by the owner, who then calls {@link #left} and {@link #entered}. */
    private final int[] clusterOf;

    /** [u*K + v]; empty until built. */
    private final Heap[] heaps;

    private final boolean[] built;
    /** [u*K + v]: the key on top of each heap that is built; infinite for an empty one. */
    private final double[] lowest;

    /** [row]: the last cleaning that has seen the row. */
    private final int[] seen;

    private int cleanings;

    CheapestMovers(double[] costs, int clusters, int[] clusterOf) {
        this.costs = costs;
        this.clusters = clusters;
        this.clusterOf = clusterOf;
        this.heaps = new Heap[clusters * clusters];
        this.built = new boolean[clusters];
        this.lowest = new double[clusters * clusters];
        this.seen = new int[clusterOf.length];
    }

    /** The extra cost of moving the cheapest row from u to v; infinite if u has no rows. */
    double extraCost(int u, int v) {
        if (!built[u]) {
            build(u);
        }
        return lowest[u * clusters + v];
    }

    /** The cheapest row to move from u, which has one, to v. */
    int row(int u, int v) {
        return heaps[u * clusters + v].rows[0];
    }

    /** To be called after rows have left u. */
    void left(int u) {
        if (built[u]) {
            for (int v = 0; v < clusters; v++) {
                if (v != u) {
                    settle(u, v);
                }
            }
        }
    }

    /** To be called after a row has come to u. */
    void entered(int row, int u) {
        if (built[u]) {
            for (int v = 0; v < clusters; v++) {
                if (v != u) {
                    Heap heap = heaps[u * clusters + v];
                    if (heap.isFull()) {
                        clean(heap, u);
                    }
                    heap.push(extra(row, u, v), row);
                    lowest[u * clusters + v] = heap.keys[0];
                }
            }
        }
    }

    private double extra(int row, int u, int v) {
        return costs[row * clusters + v] - costs[row * clusters + u];
    }

    private void build(int u) {
        int[] members = new int[clusterOf.length];
        int count = 0;
        for (int row = 0; row < clusterOf.length; row++) {
            if (clusterOf[row] == u) {
                members[count++] = row;
            }
        }
        for (int v = 0; v < clusters; v++) {
            if (v != u) {
                Heap heap = new Heap(count + count / 8 + 2);
                for (int m = 0; m < count; m++) {
                    heap.append(extra(members[m], u, v), members[m]);
                }
                heap.restore();
                heaps[u * clusters + v] = heap;
                lowest[u * clusters + v] = count == 0 ? Double.POSITIVE_INFINITY : heap.keys[0];
            }
        }
        built[u] = true;
    }

    /** Takes rows that are no longer in u off the top. */
    private void settle(int u, int v) {
        Heap heap = heaps[u * clusters + v];
        while (heap.size > 0 && clusterOf[heap.rows[0]] != u) {
            heap.pop();
        }
        lowest[u * clusters + v] = heap.size == 0 ? Double.POSITIVE_INFINITY : heap.keys[0];
    }

    private void clean(Heap heap, int u) {
        cleanings++;
        int kept = 0;
        for (int i = 0; i < heap.size; i++) {
            int row = heap.rows[i];
            if (clusterOf[row] == u && seen[row] != cleanings) {
                seen[row] = cleanings;
                heap.rows[kept] = row;
                heap.keys[kept++] = heap.keys[i];
            }
        }
        heap.size = kept;
        heap.restore();
        heap.growIfCrowded();
    }

    /** A binary heap of rows by key, then by row. */
    private static final class Heap {
        private double[] keys;
        private int[] rows;
        private int size;

        Heap(int capacity) {
            keys = new double[capacity];
            rows = new int[capacity];
        }

        boolean isFull() {
            return size == rows.length;
        }

        void growIfCrowded() {
            if (size > rows.length * 3L / 4) {
                int capacity = rows.length + rows.length / 2 + 8;
                keys = Arrays.copyOf(keys, capacity);
                rows = Arrays.copyOf(rows, capacity);
            }
        }

        /** Puts a row at the end, out of order until {@link #restore}. */
        void append(double key, int row) {
            keys[size] = key;
            rows[size++] = row;
        }

        void restore() {
            for (int i = size / 2 - 1; i >= 0; i--) {
                siftDown(i, keys[i], rows[i]);
            }
        }

        void push(double key, int row) {
            int i = size++;
            while (i > 0) {
                int parent = (i - 1) / 2;
                if (!less(key, row, keys[parent], rows[parent])) {
                    break;
                }
                keys[i] = keys[parent];
                rows[i] = rows[parent];
                i = parent;
            }
            keys[i] = key;
            rows[i] = row;
        }

        void pop() {
            size--;
            if (size > 0) {
                siftDown(0, keys[size], rows[size]);
            }
        }

        private void siftDown(int start, double key, int row) {
            int i = start;
            for (int child = 2 * i + 1; child < size; child = 2 * i + 1) {
                if (child + 1 < size && less(keys[child + 1], rows[child + 1], keys[child], rows[child])) {
                    child++;
                }
                if (!less(keys[child], rows[child], key, row)) {
                    break;
                }
                keys[i] = keys[child];
                rows[i] = rows[child];
                i = child;
            }
            keys[i] = key;
            rows[i] = row;
        }

        private static boolean less(double key, int row, double otherKey, int otherRow) {
            return key < otherKey || (key == otherKey && row < otherRow);
        }
    }
}
