package io.eldr.core.load;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/** The keys of ended reservations in the order of their ends, as far back as they are to be remembered. */
final class EndedKeys {
    private final ConcurrentLinkedQueue<Ending> order = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final int most;
    private final LongConsumer forget;

    private record Ending(long key, Instant at) {}

    /**
     * @param most how many are remembered; more push out the oldest
     * @param forget is given each key that is no longer remembered
     */
    EndedKeys(int most, LongConsumer forget) {
        this.most = most;
        this.forget = forget;
    }

    void add(long key, Instant at) {
        order.add(new Ending(key, at));
        if (count.incrementAndGet() > most) {
            forgetOldest();
        }
    }

    int count() {
        return count.get();
    }

    /** Forgets those whose end is longer ago than that. */
    void forgetOlderThan(Duration memory, Instant now) {
        Ending oldest = order.peek();
        while (oldest != null && oldest.at().plus(memory).isBefore(now)) {
            forgetOldest();
            oldest = order.peek();
        }
    }

    private void forgetOldest() {
        Ending oldest = order.poll();
        if (oldest != null) {
            count.decrementAndGet();
            forget.accept(oldest.key());
        }
    }
}
