package io.eldr.router.observation;

import io.eldr.core.drift.ObservationWindow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is still to be posted of one pool. A post that may or may not have arrived is repeated as it was, under its number,
 * so that it counts once; what comes in meanwhile is merged, so that the box never holds more than two windows.
 */
final class Outbox {
    private @Nullable Post underway;
    private @Nullable Post next;
    private long sequence;

    /** @param sequence 1, 2, .. within a run of a router and a pool */
    record Post(long sequence, long generation, ObservationWindow window) {}

    /** What belongs to an earlier generation tells nothing about this one and is dropped. */
    void add(long generation, ObservationWindow window) {
        if (next != null && next.generation() == generation) {
            next = new Post(next.sequence(), generation, next.window().plus(window));
        } else {
            sequence++;
            next = new Post(sequence, generation, window);
        }
    }

    /** What to post now; the same until it is {@link #done}. */
    Optional<Post> current() {
        if (underway == null) {
            underway = next;
            next = null;
        }
        return Optional.ofNullable(underway);
    }

    /** The current post arrived, or never will be taken. */
    void done() {
        underway = null;
    }
}
