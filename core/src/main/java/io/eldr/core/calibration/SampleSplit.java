package io.eldr.core.calibration;

import io.eldr.core.trace.RequestSample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Samples divided by what they are for: {@code fit} for IDF, greedy order and centroids, {@code select} for every choice,
 * {@code test} for figures and never for a choice. With nothing held out, or too few samples to, select is fit.
 *
 * <p>Each part keeps the samples' order.
 */
record SampleSplit(List<RequestSample> fit, List<RequestSample> select, List<RequestSample> test) {
    private static final long SCALE = 1_000_000;

    SampleSplit {
        fit = List.copyOf(fit);
        select = List.copyOf(select);
        test = List.copyOf(test);
    }

    /**
     * Splits with every label in every part as evenly as whole requests allow: each label's samples are shuffled, the
     * labels are laid end to end, and every 1/holdOut-th place goes to test, those half-way between to select.
     */
    static SampleSplit stratified(List<RequestSample> samples, double holdOut, long seed) {
        if (holdOut == 0) {
            return new SampleSplit(samples, samples, List.of());
        }
        TreeMap<String, List<Integer>> byLabel = new TreeMap<>();
        for (int i = 0; i < samples.size(); i++) {
            byLabel.computeIfAbsent(samples.get(i).label(), label -> new ArrayList<>())
                    .add(i);
        }
        Random random = new Random(seed);
        List<Integer> order = new ArrayList<>(samples.size());
        for (List<Integer> members : byLabel.values()) {
            Collections.shuffle(members, random);
            order.addAll(members);
        }
        long step = Math.round(holdOut * SCALE);
        Part[] parts = new Part[samples.size()];
        for (int place = 0; place < order.size(); place++) {
            parts[order.get(place)] = partOf(place, step);
        }
        List<RequestSample> fit = new ArrayList<>();
        List<RequestSample> select = new ArrayList<>();
        List<RequestSample> test = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            switch (parts[i]) {
                case FIT -> fit.add(samples.get(i));
                case SELECT -> select.add(samples.get(i));
                case TEST -> test.add(samples.get(i));
            }
        }
        return new SampleSplit(fit, select.isEmpty() ? fit : select, test);
    }

    private enum Part {
        FIT,
        SELECT,
        TEST
    }

    /** A place belongs to test where the multiples of the step pass a whole number, to select where they pass a half. */
    private static Part partOf(long place, long step) {
        if (Math.floorDiv((place + 1) * step, SCALE) > Math.floorDiv(place * step, SCALE)) {
            return Part.TEST;
        }
        long half = SCALE / 2;
        return Math.floorDiv((place + 1) * step + half, SCALE) > Math.floorDiv(place * step + half, SCALE)
                ? Part.SELECT
                : Part.FIT;
    }
}
