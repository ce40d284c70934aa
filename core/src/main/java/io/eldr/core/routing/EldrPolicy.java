package io.eldr.core.routing;

import io.eldr.core.signature.ExpertCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Routing by expert locality (ELDR paper, section 5): with {@code s_k} the similarity of the request's signature to the
 * centroid of decoder k and {@code s* = max s_k}, the least loaded of the band {@code s_k >= s* - tau} is chosen; equal
 * loads go to the higher similarity, then by lot.
 *
 * <ul>
 *   <li>tau = 0: the nearest only. tau >= 1: all of them, which is JSQ.
 *   <li>In between, a band of fewer than M decoders is filled with the nearest up to M.
 *   <li>Where a rule says which decoders are hot, they leave the band. If all of it is hot, tau is doubled; if that does not
 *       help, all decoders are in the band.
 *   <li>Without a signature, or with a zero one, and without an artifact: JSQ over all.
 * </ul>
 *
 * Fallbacks are the rest of the band by load, then the others by similarity.
 */
final class EldrPolicy extends ContestPolicy {
    @Override
    Decision choose(DecisionRequest request, Contest contest, RandomGenerator random) {
        if (contest.snapshot().centroids().isEmpty()) {
            return contest.leastLoaded(PolicyName.ELDR, Reason.NO_ARTIFACT);
        }
        FoldedCentroids centroids = contest.snapshot().centroids().get();
        if (request.counts().isEmpty()) {
            return contest.leastLoaded(PolicyName.ELDR, Reason.NO_SIGNATURE);
        }
        ExpertCounts counts = request.counts().get();
        if (!centroids.accepts(counts)) {
            return contest.leastLoaded(PolicyName.ELDR, Reason.INCOMPATIBLE_SIGNATURE);
        }
        double[] similarities = new double[centroids.clusters()];
        boolean significant = centroids.similarities(counts, similarities);
        Contest informed = contest.withSimilarities(similarities);
        return significant ? inBand(informed) : informed.leastLoaded(PolicyName.ELDR, Reason.NO_SIGNATURE);
    }

    private static Decision inBand(Contest contest) {
        BandRule rule = contest.snapshot().band();
        double best = bestSimilarity(contest);
        double threshold = threshold(rule, best);
        HotDecoders hot = HotDecoders.of(contest, rule.hot());
        int[] band = hot.removedFrom(band(contest, rule, threshold));
        if (band.length == 0) {
            return widened(contest, rule.doubled(), best, hot);
        }
        int chosen = lightest(contest, band);
        return choose(contest, band, chosen, rule.tau(), reason(contest, chosen, best, threshold));
    }

    private static Decision widened(Contest contest, BandRule doubled, double best, HotDecoders hot) {
        int[] band = hot.removedFrom(band(contest, doubled, threshold(doubled, best)));
        if (band.length > 0) {
            return choose(contest, band, lightest(contest, band), doubled.tau(), Reason.WIDENED);
        }
        int[] all = available(contest);
        int[] cool = hot.removedFrom(all);
        int[] widest = cool.length > 0 ? cool : all;
        return choose(contest, widest, lightest(contest, widest), BandRule.WIDEST_TAU, Reason.WIDENED);
    }

    private static Decision choose(Contest contest, int[] band, int chosen, double tau, Reason reason) {
        return contest.choose(
                chosen,
                fallbacks(contest, band, chosen),
                Optional.of(new Band(tau, members(contest, band))),
                PolicyName.ELDR,
                reason);
    }

    private static double threshold(BandRule rule, double best) {
        return rule.takesAll() ? Double.NEGATIVE_INFINITY : best - rule.tau();
    }

    private static int lightest(Contest contest, int[] band) {
        int lightest = band[0];
        for (int decoder : band) {
            if (contest.lighter(decoder, lightest)) {
                lightest = decoder;
            }
        }
        return lightest;
    }

    private static int[] available(Contest contest) {
        int[] available = new int[contest.evaluation().availableCount()];
        for (int i = 0, size = 0; size < available.length; i++) {
            if (contest.isAvailable(i)) {
                available[size++] = i;
            }
        }
        return available;
    }

    private static double bestSimilarity(Contest contest) {
        double best = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < contest.size(); i++) {
            if (contest.isAvailable(i)) {
                best = Math.max(best, contest.similarity(i));
            }
        }
        return best;
    }

    /** The candidates, ascending. */
    private static int[] band(Contest contest, BandRule rule, double threshold) {
        int within = 0;
        for (int i = 0; i < contest.size(); i++) {
            if (isWithin(contest, i, threshold)) {
                within++;
            }
        }
        int wanted = rule.tau() > 0
                ? Math.min(rule.minCandidates(), contest.evaluation().availableCount())
                : 1;
        int[] band = new int[Math.max(within, wanted)];
        int size = 0;
        for (int i = 0; i < contest.size(); i++) {
            if (isWithin(contest, i, threshold)) {
                band[size++] = i;
            }
        }
        for (; size < band.length; size++) {
            band[size] = nearestOutside(contest, band, size, threshold);
        }
        if (within < band.length) {
            Arrays.sort(band);
        }
        return band;
    }

    private static boolean isWithin(Contest contest, int decoder, double threshold) {
        return contest.isAvailable(decoder) && contest.similarity(decoder) >= threshold;
    }

    /** The nearest available decoder that is below the threshold and not among the first {@code size} of the band. */
    private static int nearestOutside(Contest contest, int[] band, int size, double threshold) {
        int nearest = -1;
        for (int i = 0; i < contest.size(); i++) {
            if (contest.isAvailable(i)
                    && contest.similarity(i) < threshold
                    && !contains(band, size, i)
                    && (nearest < 0 || contest.nearer(i, nearest))) {
                nearest = i;
            }
        }
        return nearest;
    }

    private static boolean contains(int[] band, int size, int decoder) {
        for (int i = 0; i < size; i++) {
            if (band[i] == decoder) {
                return true;
            }
        }
        return false;
    }

    private static Fallbacks fallbacks(Contest contest, int[] band, int chosen) {
        Fallbacks fallbacks = new Fallbacks();
        for (int decoder : band) {
            if (decoder != chosen) {
                fallbacks.offer(decoder, contest::lighter);
            }
        }
        fallbacks.nextGroup();
        for (int i = 0, b = 0; i < contest.size(); i++) {
            if (b < band.length && band[b] == i) {
                b++;
            } else if (contest.isAvailable(i)) {
                fallbacks.offer(i, contest::nearer);
            }
        }
        return fallbacks;
    }

    private static List<Band.Member> members(Contest contest, int[] band) {
        List<Band.Member> members = new ArrayList<>(band.length);
        for (int i : band) {
            members.add(new Band.Member(
                    i,
                    contest.snapshot().decoder(i),
                    contest.snapshot().clusterOf(i),
                    contest.similarity(i),
                    contest.load(i)));
        }
        return members;
    }

    private static Reason reason(Contest contest, int chosen, double best, double threshold) {
        if (contest.snapshot().isBorrowed(chosen)) {
            return Reason.BORROWED_CENTROID;
        }
        double similarity = contest.similarity(chosen);
        if (similarity == best) {
            return Reason.NEAREST;
        }
        return similarity >= threshold ? Reason.BAND : Reason.MIN_CANDIDATES;
    }
}
