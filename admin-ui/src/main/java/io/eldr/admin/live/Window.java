package io.eldr.admin.live;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;

/** How far two counters went in the last while. Counters that fall began anew, and so does the window. */
final class Window {
    private record Point(Instant at, double sum, double count) {}

    private final Duration length;
    private final Deque<Point> points = new ArrayDeque<>();

    Window(Duration length) {
        this.length = length;
    }

    /**
     * @param sum a counter, for instance of seconds
     * @param count another one, of what the first adds up
     */
    void add(Instant at, double sum, double count) {
        if (!points.isEmpty()) {
            Point last = points.getLast();
            if (!at.isAfter(last.at())) {
                return;
            }
            if (count < last.count() || sum < last.sum()) {
                points.clear();
            }
        }
        points.addLast(new Point(at, sum, count));
        Instant begin = at.minus(length);
        while (points.size() > 2 && points.getFirst().at().isBefore(begin)) {
            points.removeFirst();
        }
    }

    double sum() {
        return points.isEmpty() ? 0 : points.getLast().sum() - points.getFirst().sum();
    }

    double count() {
        return points.isEmpty()
                ? 0
                : points.getLast().count() - points.getFirst().count();
    }

    /** Empty before there are two points. */
    OptionalDouble countPerSecond() {
        if (points.size() < 2) {
            return OptionalDouble.empty();
        }
        double seconds =
                Duration.between(points.getFirst().at(), points.getLast().at()).toNanos() / 1e9;
        return OptionalDouble.of(count() / seconds);
    }
}
