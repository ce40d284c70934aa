package io.eldr.admin.live;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * The newest live state for all who watch. It is written as JSON once and shared; who is slow skips to the newest, so
 * watchers need no queues.
 */
@Component
final class LiveFeed {
    /** A state as it goes over the wire. */
    static final class Frame {
        private final LiveState state;
        private final byte[] event;

        private Frame(LiveState state, byte[] event) {
            this.state = state;
            this.event = event;
        }

        LiveState state() {
            return state;
        }

        /** Writes the server-sent event. */
        void writeTo(OutputStream out) throws IOException {
            out.write(event);
        }
    }

    private final JsonMapper json;
    private final History history = new History();
    private final AtomicReference<@Nullable Frame> newest = new AtomicReference<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean closed;

    LiveFeed(JsonMapper json) {
        this.json = json;
    }

    void publish(LiveState state) {
        String text = "id: " + state.sequence() + "\nevent: state\ndata: " + json.writeValueAsString(state) + "\n\n";
        history.add(state);
        newest.set(new Frame(state, text.getBytes(StandardCharsets.UTF_8)));
        signal();
    }

    /** How pools went up to now. */
    List<Overview.PoolHistory> history() {
        return history.all();
    }

    Optional<Frame> newest() {
        return Optional.ofNullable(newest.get());
    }

    /**
     * The newest state if it is newer than one that was seen, else the next one.
     *
     * @return empty if there was none for so long, or if the feed was closed
     */
    Optional<Frame> next(long seen, Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (!closed) {
                Frame frame = newest.get();
                if (frame != null && frame.state().sequence() > seen) {
                    return Optional.of(frame);
                }
                if (left <= 0) {
                    return Optional.empty();
                }
                left = changed.awaitNanos(left);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Lets everybody who waits go. */
    void close() {
        closed = true;
        signal();
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
