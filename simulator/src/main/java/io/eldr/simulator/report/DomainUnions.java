package io.eldr.simulator.report;

import io.eldr.core.trace.DecodeTokens;
import io.eldr.core.trace.ExpertSets;
import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;

/** Mean distinct experts a layer in batches of distinct requests, one decoded token each, of one domain or of all. */
final class DomainUnions {
    private static final int TOKENS = 16;
    private static final int DEALS = 64;

    private final int words;
    private final int layers;
    private final long seed;
    private final List<ExpertSets> all = new ArrayList<>();
    private final Map<String, List<ExpertSets>> byDomain = new TreeMap<>();

    DomainUnions(TraceSet set, long seed) {
        this.words = ExpertSets.words(set.trace().geometry());
        this.layers = set.trace().geometry().layers();
        this.seed = seed;
        DecodeTokens tokens = set.tokens();
        for (RequestSample sample : set.samples()) {
            tokens.of(sample, TOKENS, seed + all.size()).ifPresent(found -> {
                all.add(found);
                byDomain.computeIfAbsent(sample.label(), _ -> new ArrayList<>()).add(found);
            });
        }
    }

    /** The largest of the batches that some domain can fill, or the first. */
    int largest(int[] batches) {
        int largest = batches[0];
        for (int batch : batches) {
            largest = withinDomains(batch).isPresent() ? batch : largest;
        }
        return largest;
    }

    /** Each domain that fills a batch. */
    Map<String, Double> each(int batch) {
        Map<String, Double> unions = new TreeMap<>();
        byDomain.forEach((domain, members) -> {
            if (members.size() >= batch) {
                unions.put(domain, mean(members, batch));
            }
        });
        return unions;
    }

    /** Every request of a domain that fills a batch counting the same; empty where none does. */
    OptionalDouble withinDomains(int batch) {
        double sum = 0;
        int requests = 0;
        for (Map.Entry<String, Double> domain : each(batch).entrySet()) {
            int members = byDomain.getOrDefault(domain.getKey(), List.of()).size();
            sum += domain.getValue() * members;
            requests += members;
        }
        return requests == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / requests);
    }

    /** Over all requests; with fewer than a batch of them, of these. */
    double mixed(int batch) {
        return mean(all, Math.min(batch, all.size()));
    }

    private double mean(List<ExpertSets> requests, int batch) {
        Random random = new Random(seed);
        List<ExpertSets> order = new ArrayList<>(requests);
        long[] seen = new long[words];
        long[] again = new long[words];
        long experts = 0;
        long batches = 0;
        for (int deal = 0; deal < DEALS; deal++) {
            Collections.shuffle(order, random);
            for (int from = 0; from + batch <= order.size(); from += batch) {
                Arrays.fill(seen, 0);
                for (ExpertSets request : order.subList(from, from + batch)) {
                    request.addTo(deal % request.tokens(), seen, again);
                }
                for (long word : seen) {
                    experts += Long.bitCount(word);
                }
                batches++;
            }
        }
        return (double) experts / batches / layers;
    }
}
