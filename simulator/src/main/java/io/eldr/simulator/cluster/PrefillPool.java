package io.eldr.simulator.cluster;

import io.eldr.core.cost.DecoderModel;
import io.eldr.simulator.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * The prefill workers. A prompt whose blocks are known goes where its first block was seen before, unless that worker has
 * clearly more to do than the others (consistent hashing with bounded load); any other to the shortest queue, in turn.
 */
final class PrefillPool {
    /** As the gateway: at most this times the mean, and one. */
    private static final double BOUND = 1.25;

    private final Workload workload;
    private final List<PrefillWorker> workers = new ArrayList<>();
    private int turn;

    PrefillPool(int size, DecoderModel model, Workload workload, long cacheTokens) {
        this.workload = workload;
        for (int i = 0; i < size; i++) {
            workers.add(new PrefillWorker(model, workload, cacheTokens));
        }
    }

    PrefillWorker worker(int index) {
        return workers.get(index);
    }

    private int queued() {
        int sum = 0;
        for (PrefillWorker worker : workers) {
            sum += worker.queued();
        }
        return sum;
    }

    /** What has not begun. */
    int waiting() {
        int sum = 0;
        for (PrefillWorker worker : workers) {
            sum += worker.waiting();
        }
        return sum;
    }

    int choose(int request) {
        int[] blocks = workload.blocks(request);
        return blocks.length > 0 ? byPrefix(blocks[0]) : shortest();
    }

    private int byPrefix(int block) {
        double bound = BOUND * (queued() + 1) / workers.size() + 1;
        int first = (int) Math.floorMod(mixed(block), (long) workers.size());
        for (int step = 0; step < workers.size(); step++) {
            int next = (first + step) % workers.size();
            if (workers.get(next).queued() < bound) {
                return next;
            }
        }
        return first;
    }

    private int shortest() {
        int start = turn++ % workers.size();
        int best = start;
        for (int step = 1; step < workers.size(); step++) {
            int next = (start + step) % workers.size();
            if (workers.get(next).queued() < workers.get(best).queued()) {
                best = next;
            }
        }
        return best;
    }

    /** SplitMix64's finaliser. */
    private static long mixed(int block) {
        long z = (block + 1L) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
