package io.eldr.launcher.supervision;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * How often a child that dies is started again. Each restart within the window waits twice as long as the one before.
 *
 * @param restarts how many restarts a window allows
 * @param window how long a restart counts
 * @param firstDelay the wait before the first restart of a window
 * @param maxDelay the longest wait
 */
public record RestartPolicy(int restarts, Duration window, Duration firstDelay, Duration maxDelay) {

    /** At most five a minute, after 0.5, 1, 2, 4 and 8 seconds. */
    public static final RestartPolicy DEFAULT =
            new RestartPolicy(5, Duration.ofMinutes(1), Duration.ofMillis(500), Duration.ofSeconds(10));

    public RestartPolicy {
        if (restarts < 0 || window.isNegative() || firstDelay.isNegative() || maxDelay.compareTo(firstDelay) < 0) {
            throw new IllegalArgumentException("A restart policy needs counts and times that are not negative");
        }
    }

    /** The restarts of one child, none so far. Not thread-safe: each child has one thread that watches it. */
    History begin(InstantSource clock) {
        return new History(this, clock);
    }

    /** Remembers when a child was started again. */
    static final class History {

        private final RestartPolicy policy;
        private final InstantSource clock;
        private final Deque<Instant> recent = new ArrayDeque<>();

        private History(RestartPolicy policy, InstantSource clock) {
            this.policy = policy;
            this.clock = clock;
        }

        /** How long to wait before the next restart, which is thereby counted; empty if there have been too many. */
        Optional<Duration> next() {
            Instant now = clock.instant();
            while (!recent.isEmpty() && !recent.getFirst().plus(policy.window()).isAfter(now)) {
                recent.removeFirst();
            }
            if (recent.size() >= policy.restarts()) {
                return Optional.empty();
            }
            Duration delay = policy.firstDelay();
            for (int i = 0; i < recent.size() && delay.compareTo(policy.maxDelay()) < 0; i++) {
                delay = delay.multipliedBy(2);
            }
            recent.addLast(now);
            return Optional.of(delay.compareTo(policy.maxDelay()) < 0 ? delay : policy.maxDelay());
        }
    }
}
