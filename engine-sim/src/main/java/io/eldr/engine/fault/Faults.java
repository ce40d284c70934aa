package io.eldr.engine.fault;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The faults that one worker has before it. */
public final class Faults {
    private static final class Armed {
        private final RequestFault fault;
        private int left;

        private Armed(RequestFault fault, int left) {
            this.fault = fault;
            this.left = left;
        }
    }

    private final Deque<Armed> armed = new ArrayDeque<>();
    private long unreadyUntil = System.nanoTime();

    /** The next requests go wrong, after those that earlier orders are about. */
    public synchronized void arm(RequestFault fault, int requests) {
        armed.addLast(new Armed(fault, requests));
    }

    /** Not ready for so long from now on. */
    public synchronized void unready(Duration time) {
        unreadyUntil = System.nanoTime() + time.toNanos();
    }

    public synchronized void clear() {
        armed.clear();
        unreadyUntil = System.nanoTime();
    }

    public synchronized boolean isReady() {
        return System.nanoTime() - unreadyUntil >= 0;
    }

    /** What goes wrong with the request that has just come. */
    public synchronized RequestFault next() {
        Armed first = armed.peekFirst();
        if (first == null) {
            return new RequestFault.None();
        }
        if (first.left != Integer.MAX_VALUE && --first.left == 0) {
            armed.removeFirst();
        }
        return first.fault;
    }
}
