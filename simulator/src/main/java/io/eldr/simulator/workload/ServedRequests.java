package io.eldr.simulator.workload;

import io.eldr.core.signature.Geometry;
import io.eldr.core.signature.InvalidInputException;
import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.ExpertSets;
import io.eldr.core.trace.RequestSample;
import io.eldr.core.trace.TokenOrigin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The recorded requests that a simulation draws from: what a router sees of each, and the experts of its decode tokens as
 * bits in one long array, so that the union of a batch is a loop of ORs.
 */
public final class ServedRequests {
    /** So many tokens are drawn of a request of which only decode counts are known. */
    public static final int DRAWN_TOKENS = 64;

    /** Longer recordings are cut here. */
    private static final int MAX_TOKENS = 512;

    private final Geometry geometry;
    private final TokenOrigin origin;
    private final List<RequestSample> samples;
    /** Samples by label, the most frequent label first. */
    private final List<int[]> byLabel;

    private final List<String> labels;
    private final int words;
    private final long[] bank;
    /** [i] to before [i + 1] are the positions of sample i's tokens in the bank. */
    private final int[] starts;

    private ServedRequests(
            Geometry geometry, TokenOrigin origin, List<RequestSample> samples, List<ExpertSets> tokens) {
        this.geometry = geometry;
        this.origin = origin;
        this.samples = List.copyOf(samples);
        this.words = ExpertSets.words(geometry);
        Map<String, List<Integer>> grouped = new LinkedHashMap<>();
        this.starts = new int[samples.size() + 1];
        for (int i = 0; i < samples.size(); i++) {
            starts[i + 1] =
                    Math.addExact(starts[i], Math.multiplyExact(tokens.get(i).tokens(), words));
            grouped.computeIfAbsent(samples.get(i).label(), _ -> new ArrayList<>())
                    .add(i);
        }
        this.bank = new long[starts[samples.size()]];
        for (int i = 0; i < samples.size(); i++) {
            for (int t = 0; t < tokens.get(i).tokens(); t++) {
                tokens.get(i).copyTo(t, bank, starts[i] + t * words);
            }
        }
        List<Map.Entry<String, List<Integer>>> mostFirst = new ArrayList<>(grouped.entrySet());
        mostFirst.sort(Comparator.<Map.Entry<String, List<Integer>>>comparingInt(
                        entry -> -entry.getValue().size())
                .thenComparing(Map.Entry.comparingByKey()));
        this.labels = mostFirst.stream().map(Map.Entry::getKey).toList();
        this.byLabel = mostFirst.stream()
                .map(entry ->
                        entry.getValue().stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    /**
     * Those of the samples whose decoding is known.
     *
     * @throws InvalidInputException naming {@code traces} if there is none
     */
    public static ServedRequests of(Geometry geometry, List<RequestSample> samples, DecodeTokens source, long seed) {
        List<RequestSample> known = new ArrayList<>();
        List<ExpertSets> tokens = new ArrayList<>();
        int wanted = source.origin() == TokenOrigin.RECORDED ? MAX_TOKENS : DRAWN_TOKENS;
        for (int i = 0; i < samples.size(); i++) {
            Optional<ExpertSets> found = source.of(samples.get(i), wanted, seed + i);
            if (found.isPresent()) {
                known.add(samples.get(i));
                tokens.add(found.get());
            }
        }
        if (known.isEmpty()) {
            throw new InvalidInputException(
                    "traces",
                    "none of the " + samples.size() + " requests to serve has decode tokens or decode counts, so it is"
                            + " not known which experts decoding would use");
        }
        return new ServedRequests(geometry, source.origin(), known, tokens);
    }

    public Geometry geometry() {
        return geometry;
    }

    /** Where the decode tokens come from. */
    public TokenOrigin origin() {
        return origin;
    }

    public int size() {
        return samples.size();
    }

    public RequestSample sample(int index) {
        return samples.get(index);
    }

    /** The most frequent first. */
    public List<String> labels() {
        return labels;
    }

    /** The samples of a label, by its position in {@link #labels}; not to be changed. */
    int[] ofLabel(int label) {
        return byLabel.get(label);
    }

    /** How many words the set of one token takes. */
    public int words() {
        return words;
    }

    /** All tokens' sets, one after another; not to be changed. */
    public long[] bank() {
        return bank;
    }

    /** Where a sample's tokens begin in {@link #bank}. */
    public int start(int index) {
        return starts[index];
    }

    /** Where they end. */
    public int end(int index) {
        return starts[index + 1];
    }
}
