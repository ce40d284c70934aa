package io.eldr.router.worker;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * One page of an engine's metrics in Prometheus' text format, read as it arrives. Of the few series that matter the lines
 * are kept one at a time, of the others nothing; a page of any length takes the same memory. Values of several ranks
 * ({@code engine}, {@code dp_rank}) are summed, the KV use is that of the fullest; requests are kept by rank as well.
 */
final class EnginePage {
    private static final EngineSeries.Names NAMES = new EngineSeries.Names();
    private static final int LONGEST_LINE = 4_096;
    private static final int MOST_RANKS = 1_024;

    private enum Place {
        NAME,
        REST,
        OTHER_LINE
    }

    private final byte[] line = new byte[LONGEST_LINE];
    private Place place = Place.NAME;
    private int length;
    private int possible = NAMES.all();
    private Optional<EngineSeries> series = Optional.empty();

    private boolean sound = true;
    private OptionalDouble running = OptionalDouble.empty();
    private OptionalDouble waiting = OptionalDouble.empty();
    private OptionalDouble kvUse = OptionalDouble.empty();
    private OptionalDouble seconds = OptionalDouble.empty();
    private OptionalDouble requests = OptionalDouble.empty();
    private OptionalDouble steps = OptionalDouble.empty();
    private OptionalDouble stepExperts = OptionalDouble.empty();
    private final TreeMap<Double, Double> upTo = new TreeMap<>();
    private final TreeMap<Integer, Double> requestsByRank = new TreeMap<>();

    /** Takes in the next bytes, cut anywhere. */
    void feed(byte[] bytes) {
        int i = 0;
        while (i < bytes.length) {
            switch (place) {
                case NAME -> name(bytes[i++]);
                case REST -> rest(bytes[i++]);
                case OTHER_LINE -> {
                    while (i < bytes.length && bytes[i] != '\n') {
                        i++;
                    }
                    if (i < bytes.length) {
                        i++;
                        nextLine();
                    }
                }
            }
        }
    }

    /** What the page said; empty if it lacks the numbers of requests or they make no sense. */
    Optional<EngineLoad> end() {
        if (place == Place.REST) {
            take();
        }
        nextLine();
        if (!sound || running.isEmpty() || waiting.isEmpty()) {
            return Optional.empty();
        }
        Optional<TokenTimes> times = seconds.isPresent() && requests.isPresent()
                ? Optional.of(new TokenTimes(seconds.getAsDouble(), requests.getAsDouble(), upTo))
                : Optional.empty();
        Optional<StepExperts> experts = steps.isPresent() && stepExperts.isPresent()
                ? Optional.of(new StepExperts(stepExperts.getAsDouble(), steps.getAsDouble()))
                : Optional.empty();
        List<Integer> ranks = requestsByRank.values().stream()
                .map(Math::round)
                .map(Long::intValue)
                .toList();
        return Optional.of(new EngineLoad(running.getAsDouble(), waiting.getAsDouble(), ranks, kvUse, times, experts));
    }

    private void name(byte value) {
        if (value == '{' || value == ' ' || value == '\t') {
            series = NAMES.ofLength(possible, length);
            length = 0;
            place = series.isPresent() ? Place.REST : Place.OTHER_LINE;
            if (series.isPresent()) {
                rest(value);
            }
        } else if (value == '\n') {
            nextLine();
        } else {
            possible = NAMES.with(possible, length++, value);
            if (possible == 0) {
                place = Place.OTHER_LINE;
            }
        }
    }

    private void rest(byte value) {
        if (value == '\n') {
            take();
            nextLine();
        } else if (length == line.length) {
            sound = false;
            place = Place.OTHER_LINE;
        } else {
            line[length++] = value;
        }
    }

    private void nextLine() {
        place = Place.NAME;
        length = 0;
        possible = NAMES.all();
        series = Optional.empty();
    }

    private void take() {
        SampleLine sample = SampleLine.read(line, length);
        if (series.isEmpty() || sample.value().isEmpty()) {
            sound = false;
            return;
        }
        double value = sample.value().getAsDouble();
        switch (series.get()) {
            case RUNNING -> {
                running = sum(running, value);
                sample.rank().ifPresent(rank -> requestsOf(rank, value));
            }
            case WAITING -> {
                waiting = sum(waiting, value);
                sample.rank().ifPresent(rank -> requestsOf(rank, value));
            }
            case KV_USE -> kvUse = OptionalDouble.of(Math.max(kvUse.orElse(0), value));
            case TOKEN_TIME_SUM -> seconds = sum(seconds, value);
            case TOKEN_TIME_COUNT -> requests = sum(requests, value);
            case STEPS -> steps = sum(steps, value);
            case STEP_EXPERTS -> stepExperts = sum(stepExperts, value);
            case TOKEN_TIME_BUCKET -> sample.bound().ifPresent(bound -> upTo.merge(bound, value, Double::sum));
        }
    }

    private void requestsOf(int rank, double value) {
        if (requestsByRank.size() < MOST_RANKS || requestsByRank.containsKey(rank)) {
            requestsByRank.merge(rank, value, Double::sum);
        } else {
            sound = false;
        }
    }

    private static OptionalDouble sum(OptionalDouble before, double value) {
        return OptionalDouble.of(before.orElse(0) + value);
    }
}
