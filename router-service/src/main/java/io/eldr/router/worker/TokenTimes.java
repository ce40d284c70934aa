package io.eldr.router.worker;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A histogram of times per output token, one observation for each request.
 *
 * @param seconds the sum of all
 * @param requests how many
 * @param upTo how many took at most so many seconds, by upper bound; the last bound is infinite
 */
public record TokenTimes(double seconds, double requests, SortedMap<Double, Double> upTo) {
    public TokenTimes {
        upTo = Collections.unmodifiableSortedMap(new TreeMap<>(upTo));
    }
}
