package io.eldr.simulator.cluster;

import java.util.Arrays;

/** Events by time, those of the same moment in the order in which they were put in. A binary heap of numbers. */
final class EventQueue {
    /** What happens. */
    enum Kind {
        ARRIVAL(0),
        PREFILLED(1),
        PULLED(2),
        STEPPED(3),
        SCRAPE(4),
        CHANGE(5),
        WATCH(6);

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    /** By code. */
    private static final Kind[] KINDS = Kind.values();

    private static final int SUBJECT_BITS = 28;
    private static final int KIND_BITS = 3;

    private double[] times = new double[1024];
    /** Order, kind and subject in one number, so that ties are settled by order. */
    private long[] tags = new long[1024];

    private int size;
    private long puts;

    private double time;
    private long tag;

    /** @param subject whom it happens to, 0 to 2^28 - 1 */
    void put(double at, Kind kind, int subject) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            tags = Arrays.copyOf(tags, 2 * size);
        }
        long put = (((puts++ << KIND_BITS) | kind.code) << SUBJECT_BITS) | subject;
        int hole = size++;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (!before(at, put, parent)) {
                break;
            }
            times[hole] = times[parent];
            tags[hole] = tags[parent];
            hole = parent;
        }
        times[hole] = at;
        tags[hole] = put;
    }

    /** Takes the next event out. @return false if there is none */
    boolean next() {
        if (size == 0) {
            return false;
        }
        time = times[0];
        tag = tags[0];
        size--;
        double last = times[size];
        long lastTag = tags[size];
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && before(times[child + 1], tags[child + 1], child)) {
                child++;
            }
            if (before(last, lastTag, child)) {
                break;
            }
            times[hole] = times[child];
            tags[hole] = tags[child];
            hole = child;
        }
        times[hole] = last;
        tags[hole] = lastTag;
        return true;
    }

    /** When the event that was taken out happens, in seconds. */
    double time() {
        return time;
    }

    Kind kind() {
        return KINDS[(int) (tag >>> SUBJECT_BITS) & ((1 << KIND_BITS) - 1)];
    }

    int subject() {
        return (int) tag & ((1 << SUBJECT_BITS) - 1);
    }

    private boolean before(double at, long put, int place) {
        return at < times[place] || (at == times[place] && put < tags[place]);
    }
}
