package io.eldr.simulator.study;

import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** Requests divided into those to fit and those to serve, each label as evenly as whole requests allow. */
public record SeededSplit(List<RequestSample> fit, List<RequestSample> served) {
    /** @param share of the samples that is fitted, 0 to 1 */
    public static SeededSplit of(List<RequestSample> samples, double share, long seed) {
        TreeMap<String, List<RequestSample>> byLabel = new TreeMap<>();
        for (RequestSample sample : samples) {
            byLabel.computeIfAbsent(sample.label(), _ -> new ArrayList<>()).add(sample);
        }
        Random random = new Random(seed);
        List<RequestSample> fit = new ArrayList<>();
        List<RequestSample> served = new ArrayList<>();
        long place = 0;
        for (List<RequestSample> members : byLabel.values()) {
            Collections.shuffle(members, random);
            for (RequestSample sample : members) {
                boolean fits = Math.floor((place + 1) * share) > Math.floor(place * share);
                (fits ? fit : served).add(sample);
                place++;
            }
        }
        return new SeededSplit(fit, served);
    }
}
