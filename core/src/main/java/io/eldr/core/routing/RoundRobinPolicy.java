package io.eldr.core.routing;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Each available decoder in turn. Where weights differ, the turns fall on them in proportion: turn n goes to the decoder
 * that holds the point {@code frac(n * phi)} of the weights laid end to end, a sequence that is spread evenly over any
 * number of turns.
 */
final class RoundRobinPolicy extends ContestPolicy {
    private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;
    private static final long MAX_TURN = 1L << 32;

    private final AtomicLong turns = new AtomicLong();

    @Override
    Decision choose(DecisionRequest request, Contest contest, RandomGenerator random) {
        long turn = turns.getAndIncrement() % MAX_TURN;
        int chosen = hasEqualWeights(contest)
                ? inTurn(contest, (int) (turn % contest.evaluation().availableCount()))
                : contest.atWeight(turn * GOLDEN_RATIO % 1, -1);
        Fallbacks fallbacks = new Fallbacks();
        for (int step = 1; step < contest.size(); step++) {
            int next = (chosen + step) % contest.size();
            if (contest.isAvailable(next)) {
                fallbacks.offer(next, (_, _) -> false);
            }
        }
        return contest.choose(chosen, fallbacks, Optional.empty(), PolicyName.ROUND_ROBIN, Reason.ROUND_ROBIN);
    }

    private static boolean hasEqualWeights(Contest contest) {
        double weight = 0;
        for (int i = 0; i < contest.size(); i++) {
            if (contest.isAvailable(i)) {
                if (weight != 0 && contest.weight(i) != weight) {
                    return false;
                }
                weight = contest.weight(i);
            }
        }
        return true;
    }

    private static int inTurn(Contest contest, int turn) {
        int left = turn;
        int last = -1;
        for (int i = 0; i < contest.size() && left >= 0; i++) {
            if (contest.isAvailable(i)) {
                last = i;
                left--;
            }
        }
        return last;
    }
}
