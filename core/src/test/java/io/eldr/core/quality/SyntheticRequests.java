package io.eldr.core.quality;

import io.eldr.core.signature.ExpertCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Requests of a few domains whose prompts and answers prefer the same experts, less clearly so in some layers. */
record SyntheticRequests(List<ExpertCounts> prefill, List<ExpertCounts> decoded) {
    static SyntheticRequests of(int requests, int layers, int experts, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int domains = 4;
        double[][] taste = new double[domains][layers * experts];
        for (double[] domain : taste) {
            for (int cell = 0; cell < domain.length; cell++) {
                domain[cell] = Math.exp(1.5 * random.nextGaussian());
            }
        }
        List<ExpertCounts> prefill = new ArrayList<>();
        List<ExpertCounts> decoded = new ArrayList<>();
        for (int r = 0; r < requests; r++) {
            double[] domain = taste[random.nextInt(domains)];
            int[] prompt = new int[layers * experts];
            int[] answer = new int[layers * experts];
            for (int cell = 0; cell < prompt.length; cell++) {
                int layer = cell / experts;
                double noise = 0.3 + (double) layer / layers;
                prompt[cell] = (int) (domain[cell] * Math.exp(noise * random.nextGaussian()) * 2);
                answer[cell] = (int) (domain[cell] * Math.exp(0.3 * random.nextGaussian()) * 3);
            }
            prefill.add(ExpertCounts.of(layers, experts, prompt));
            decoded.add(ExpertCounts.of(layers, experts, answer));
        }
        return new SyntheticRequests(prefill, decoded);
    }

    SyntheticRequests subset(int from, int to) {
        return new SyntheticRequests(prefill.subList(from, to), decoded.subList(from, to));
    }
}
