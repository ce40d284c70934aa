package io.eldr.core.load;

import java.util.concurrent.atomic.AtomicLong;

/** What open reservations keep of their predicted use, in bytes, and the most that they may. */
final class UseMemory {
    private final long most;
    private final AtomicLong used = new AtomicLong();

    UseMemory(long most) {
        this.most = most;
    }

    boolean hasRoomFor(PredictedUse use) {
        return used.get() + use.ownBytes() <= most;
    }

    void take(PredictedUse use) {
        used.addAndGet(use.ownBytes());
    }

    void giveBack(PredictedUse use) {
        used.addAndGet(-use.ownBytes());
    }

    long used() {
        return used.get();
    }
}
