package io.eldr.core.calibration;

import io.eldr.core.trace.RequestSample;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How often each label occurs among the samples that have one. */
final class LabelShares {
    /** A label that so many others exceed is no domain that decoders could be set aside for. */
    static final int MAX_LABELS = 256;

    private LabelShares() {}

    /**
     * The share of each label among all labelled samples, for the most frequent {@link #MAX_LABELS}; of equally frequent
     * ones the first by name. Empty where no sample has a label.
     */
    static Map<String, Double> of(List<RequestSample> samples) {
        Map<String, Integer> counts = new HashMap<>();
        for (RequestSample sample : samples) {
            if (!sample.label().isBlank()) {
                counts.merge(sample.label(), 1, Integer::sum);
            }
        }
        int labelled = counts.values().stream().mapToInt(Integer::intValue).sum();
        Comparator<Map.Entry<String, Integer>> mostFrequentFirst =
                Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey());
        return counts.entrySet().stream()
                .sorted(mostFrequentFirst)
                .limit(MAX_LABELS)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue() / (double) labelled, (a, b) -> a, TreeMap::new));
    }
}
