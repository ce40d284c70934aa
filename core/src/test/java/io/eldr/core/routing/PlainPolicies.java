package io.eldr.core.routing;

import io.eldr.core.artifact.RoutingArtifact;
import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Signature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The policies written down as their definitions say: signatures made and compared one by one in float64, candidates
 * sorted as a whole. Draws the same random numbers as the real ones.
 */
final class PlainPolicies {
    private final Optional<RoutingArtifact> artifact;
    private final List<Decoder> decoders;
    private final DecisionRequest request;
    private final int[] inFlight;
    private final BandRule band;
    private final long turn;
    private final RandomGenerator random;
    private final long salt;

    /**
     * @param artifact whose cluster k stands for decoder k
     * @param turn how many decisions the policy has made before
     */
    PlainPolicies(
            Optional<RoutingArtifact> artifact,
            List<Decoder> decoders,
            DecisionRequest request,
            int[] inFlight,
            BandRule band,
            long turn,
            RandomGenerator random) {
        this.artifact = artifact;
        this.decoders = decoders;
        this.request = request;
        this.inFlight = inFlight;
        this.band = band;
        this.turn = turn;
        this.random = random;
        this.salt = available().isEmpty() ? 0 : random.nextLong();
    }

    /** The decoder chosen, then its fallbacks; empty where none is available. */
    List<Integer> ranking(PolicyName policy) {
        if (available().isEmpty()) {
            return List.of();
        }
        List<Integer> ranking = switch (policy) {
            case ELDR -> eldr();
            // The artifacts drawn know no labels; DomainPolicyTest and LabelPlacementTest hold those.
            case JSQ, DOMAIN, UNION -> sorted(available(), byLoad().thenComparing(byLot()));
            case RANDOM -> chosenThen(draw(available()), byLot());
            case P2C -> p2c();
            case ROUND_ROBIN -> roundRobin();
        };
        return ranking.stream().limit(1L + Decision.MAX_FALLBACKS).toList();
    }

    /** How similar the request is to each decoder's cluster; empty where that cannot be said. */
    Optional<double[]> similarities() {
        if (artifact.isEmpty() || request.counts().isEmpty()) {
            return Optional.empty();
        }
        ExpertCounts counts = request.counts().get();
        Signature signature = artifact.get().spec().signatureOf(counts);
        double[] similarities = new double[decoders.size()];
        for (int k = 0; k < similarities.length; k++) {
            for (int d = 0; d < signature.dimensions(); d++) {
                similarities[k] +=
                        (double) signature.value(d) * artifact.get().centroids().value(k, d);
            }
        }
        return signature.isZero() ? Optional.empty() : Optional.of(similarities);
    }

    private List<Integer> eldr() {
        Optional<double[]> known = similarities();
        if (known.isEmpty()) {
            return sorted(available(), byLoad().thenComparing(byLot()));
        }
        double[] similarities = known.get();
        Comparator<Integer> bySimilarity = Comparator.comparingDouble((Integer i) -> -similarities[i]);
        List<Integer> nearest =
                sorted(available(), bySimilarity.thenComparing(byLoad()).thenComparing(byLot()));
        double threshold = band.tau() >= 1 ? Double.NEGATIVE_INFINITY : similarities[nearest.getFirst()] - band.tau();
        long within = nearest.stream().filter(i -> similarities[i] >= threshold).count();
        int size = (int) Math.max(within, band.tau() > 0 ? Math.min(band.minCandidates(), nearest.size()) : 1);
        return Stream.concat(
                        sorted(
                                nearest.subList(0, size),
                                byLoad().thenComparing(bySimilarity).thenComparing(byLot()))
                                .stream(),
                        nearest.subList(size, nearest.size()).stream())
                .toList();
    }

    private List<Integer> p2c() {
        int first = draw(available());
        List<Integer> others = available().stream().filter(i -> i != first).toList();
        double point = random.nextDouble();
        Comparator<Integer> order = byLoad().thenComparing(byLot());
        if (others.isEmpty()) {
            return chosenThen(first, order);
        }
        int second = at(point, others);
        return chosenThen(order.compare(second, first) < 0 ? second : first, order);
    }

    private List<Integer> roundRobin() {
        List<Integer> available = available();
        boolean equal = available.stream().map(this::weight).distinct().count() == 1;
        int chosen = equal
                ? available.get((int) (turn % available.size()))
                : at(turn * ((Math.sqrt(5) - 1) / 2) % 1, available);
        List<Integer> inTurn = new ArrayList<>(available);
        Collections.rotate(inTurn, -inTurn.indexOf(chosen));
        return inTurn;
    }

    private List<Integer> available() {
        return IntStream.range(0, decoders.size())
                .filter(i -> inFlight[i] >= 0 && request.allows(decoders.get(i).id()))
                .filter(i -> !decoders.get(i).isFullAt(inFlight[i]))
                .boxed()
                .toList();
    }

    private List<Integer> chosenThen(int chosen, Comparator<Integer> order) {
        return sorted(
                available(), Comparator.comparing((Integer i) -> i != chosen).thenComparing(order));
    }

    private int draw(List<Integer> among) {
        return at(random.nextDouble(), among);
    }

    private int at(double point, List<Integer> among) {
        double left = point * among.stream().mapToDouble(this::weight).sum();
        for (int i : among) {
            left -= weight(i);
            if (left < 0) {
                return i;
            }
        }
        return among.getLast();
    }

    private double weight(int decoder) {
        return decoders.get(decoder).weight();
    }

    private Comparator<Integer> byLoad() {
        return Comparator.comparingDouble((Integer i) -> inFlight[i] / weight(i));
    }

    private Comparator<Integer> byLot() {
        return Comparator.comparingLong((Integer i) -> {
            long z = salt + (i + 1) * 0x9E3779B97F4A7C15L;
            z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return z ^ (z >>> 31);
        });
    }

    private static List<Integer> sorted(List<Integer> decoders, Comparator<Integer> order) {
        return decoders.stream().sorted(order).toList();
    }

    /** Whether two similarities are so near each other, or so near tau apart, that rounding may tell them apart otherwise. */
    static boolean isCloseCall(double[] similarities, BandRule band, double distance) {
        for (double one : similarities) {
            for (double other : similarities) {
                double gap = one - other;
                if (gap != 0 && (Math.abs(gap) < distance || Math.abs(gap - band.tau()) < distance)) {
                    return true;
                }
            }
        }
        return false;
    }
}
