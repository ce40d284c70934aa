package io.eldr.core.load;

import java.util.concurrent.atomic.AtomicInteger;

/** How many more reservations an incarnation takes. A change of the rule is another admission, which starts afresh. */
final class Admission {
    private static final int WITHOUT_LIMIT = -1;

    private final AtomicInteger left;

    private Admission(int left) {
        this.left = new AtomicInteger(left);
    }

    static Admission withoutLimit() {
        return new Admission(WITHOUT_LIMIT);
    }

    static Admission of(int reservations) {
        return new Admission(reservations);
    }

    boolean isClosed() {
        return left.get() == 0;
    }

    /** @return whether one more may come in, which is then counted */
    boolean enter() {
        int now = left.get();
        while (now > 0) {
            if (left.compareAndSet(now, now - 1)) {
                return true;
            }
            now = left.get();
        }
        return now == WITHOUT_LIMIT;
    }

    /** Whoever entered did not stay. */
    void undo() {
        if (left.get() != WITHOUT_LIMIT) {
            left.incrementAndGet();
        }
    }
}
