package io.eldr.simulator.report;

import java.util.ArrayList;
import java.util.List;

/**
 * How often each expert was used over many texts, where nothing is known of single requests.
 *
 * @param name in the report
 * @param origin of which texts, in a few words
 * @param layers [layer][expert], at least one layer, each used at all and with the same number of experts
 */
public record ExpertSums(String name, String origin, List<List<Long>> layers) {
    public ExpertSums {
        List<List<Long>> copies = new ArrayList<>();
        layers.forEach(layer -> copies.add(List.copyOf(layer)));
        layers = List.copyOf(copies);
    }

    /** E. */
    int experts() {
        return layers.getFirst().size();
    }

    /** Layer by layer. */
    double[] cells() {
        return layers.stream()
                .flatMap(List::stream)
                .mapToDouble(Long::doubleValue)
                .toArray();
    }
}
