package io.eldr.core.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which decoders are set aside for the requests of a label, by the labels' shares in calibration. The same for every
 * router that sees the same decoders:
 *
 * <ul>
 *   <li>Where there are decoders enough, each label gets a number of its own by largest remainder, at least one.
 *   <li>Where there are more labels than decoders, labels are packed: the most frequent first, each on the decoder with the
 *       smallest share so far.
 * </ul>
 *
 * Labels and decoders are taken in the order of their names, and so are ties.
 */
public final class LabelPlacement {
    /** No labels are known. */
    public static final LabelPlacement NONE = new LabelPlacement(Map.of());

    private final Map<String, Set<String>> slots;

    private LabelPlacement(Map<String, Set<String>> slots) {
        this.slots = Map.copyOf(slots);
    }

    /**
     * @param shares of each label; they need not add up to 1
     * @param live the slots of all decoders that are not gone, whether or not they take requests at the moment
     */
    public static LabelPlacement of(Map<String, Double> shares, Collection<String> live) {
        List<String> decoders =
                live.stream().distinct().sorted(SlotBinding.BY_NAME).toList();
        if (shares.isEmpty() || decoders.isEmpty()) {
            return NONE;
        }
        SortedMap<String, Double> byName = new TreeMap<>(SlotBinding.BY_NAME);
        byName.putAll(shares);
        return new LabelPlacement(
                byName.size() <= decoders.size() ? apart(byName, decoders) : packed(byName, decoders));
    }

    /** The decoders of a label; empty for one that is not known. */
    public Set<String> slots(String label) {
        return slots.getOrDefault(label, Set.of());
    }

    Set<String> labels() {
        return slots.keySet();
    }

    private static Map<String, Set<String>> apart(SortedMap<String, Double> shares, List<String> decoders) {
        List<String> labels = List.copyOf(shares.keySet());
        int[] numbers = numbers(
                shares.values().stream().mapToDouble(Double::doubleValue).toArray(), decoders.size());
        Map<String, Set<String>> slots = new HashMap<>();
        int next = 0;
        for (int i = 0; i < numbers.length; i++) {
            slots.put(labels.get(i), Set.copyOf(decoders.subList(next, next + numbers[i])));
            next += numbers[i];
        }
        return slots;
    }

    /** How many of the decoders each share gets. */
    static int[] numbers(double[] shares, int decoders) {
        double total = Arrays.stream(shares).sum();
        double[] quota = new double[shares.length];
        int[] numbers = new int[shares.length];
        int given = 0;
        for (int i = 0; i < shares.length; i++) {
            quota[i] = total > 0 ? decoders * shares[i] / total : 0;
            numbers[i] = Math.max(1, (int) quota[i]);
            given += numbers[i];
        }
        for (; given < decoders; given++) {
            numbers[shortest(quota, numbers)]++;
        }
        for (; given > decoders; given--) {
            numbers[mostOver(quota, numbers)]--;
        }
        return numbers;
    }

    /** Which lacks most of its quota. */
    private static int shortest(double[] quota, int[] numbers) {
        int found = 0;
        for (int i = 1; i < quota.length; i++) {
            if (quota[i] - numbers[i] > quota[found] - numbers[found]) {
                found = i;
            }
        }
        return found;
    }

    /** Which of those with more than one is nearest to having too many: there is one while more are given than there are. */
    private static int mostOver(double[] quota, int[] numbers) {
        int found = -1;
        for (int i = 0; i < quota.length; i++) {
            if (numbers[i] > 1 && (found < 0 || quota[i] - numbers[i] < quota[found] - numbers[found])) {
                found = i;
            }
        }
        return found;
    }

    private static Map<String, Set<String>> packed(SortedMap<String, Double> shares, List<String> decoders) {
        List<Map.Entry<String, Double>> longestFirst = new ArrayList<>(shares.entrySet());
        longestFirst.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
        double[] filled = new double[decoders.size()];
        Map<String, Set<String>> slots = new HashMap<>();
        for (Map.Entry<String, Double> label : longestFirst) {
            int emptiest = 0;
            for (int d = 1; d < filled.length; d++) {
                if (filled[d] < filled[emptiest]) {
                    emptiest = d;
                }
            }
            filled[emptiest] += label.getValue();
            slots.put(label.getKey(), Set.of(decoders.get(emptiest)));
        }
        return slots;
    }
}
