package io.eldr.router.replica;

import io.eldr.router.intent.HeartbeatObserver;
import io.eldr.router.intent.RouterHeartbeat;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other routers that live, kept in memory. A router lives as long as its heartbeat changes: the clocks of two machines
 * are compared only when it is seen for the first time. While Postgres is away nobody dies, and once it is back each
 * has time to say that it lives: a pause in which no heartbeats were read counts for half of the timeout at most.
 */
public final class Replicas implements HeartbeatObserver {

    /**
     * Another router.
     *
     * @param url where it is reached; empty if it does not say
     */
    public record Replica(String id, Optional<URI> url) {}

    private record Sign(Instant lastSeen, Instant changedAt) {
        Sign later(Duration by) {
            return new Sign(lastSeen, changedAt.plus(by));
        }
    }

    private static final Logger log = LoggerFactory.getLogger(Replicas.class);

    private final String self;
    private final Duration timeout;
    private final InstantSource clock;
    private final IntConsumer count;
    private final Map<String, Sign> signs = new HashMap<>();
    private Optional<Instant> readAt = Optional.empty();
    private volatile Map<String, Replica> live = Map.of();

    /**
     * @param self this router's id
     * @param timeout without a new heartbeat for so long a router is dead
     * @param count is told how many routers live, this one included
     */
    public Replicas(String self, Duration timeout, InstantSource clock, IntConsumer count) {
        this.self = self;
        this.timeout = timeout;
        this.clock = clock;
        this.count = count;
    }

    /** Another router that lives. */
    public Optional<Replica> find(String id) {
        return Optional.ofNullable(live.get(id));
    }

    public boolean isSelf(String id) {
        return self.equals(id);
    }

    /** How many routers live, this one included. */
    public int liveRouters() {
        return live.size() + 1;
    }

    @Override
    public synchronized void seen(Collection<RouterHeartbeat> heartbeats) {
        Instant now = clock.instant();
        Duration unread = unread(now);
        readAt = Optional.of(now);
        Map<String, Replica> alive = new HashMap<>();
        Set<String> present = new HashSet<>();
        for (RouterHeartbeat heartbeat : heartbeats) {
            if (isSelf(heartbeat.id())) {
                continue;
            }
            present.add(heartbeat.id());
            Sign before = signs.get(heartbeat.id());
            Sign sign = before == null
                    ? new Sign(heartbeat.lastSeen(), now.minus(heartbeat.age()))
                    : before.lastSeen().equals(heartbeat.lastSeen())
                            ? before.later(unread)
                            : new Sign(heartbeat.lastSeen(), now);
            signs.put(heartbeat.id(), sign);
            if (now.isBefore(sign.changedAt().plus(timeout))) {
                alive.put(heartbeat.id(), new Replica(heartbeat.id(), heartbeat.url()));
            }
        }
        signs.keySet().retainAll(present);
        if (!alive.keySet().equals(live.keySet())) {
            log.info("{} routers live: {} and this one", alive.size() + 1, alive.keySet());
        }
        live = Map.copyOf(alive);
        count.accept(alive.size() + 1);
    }

    /** How much of a pause between two readings does not count: while Postgres was away nobody could write either. */
    private Duration unread(Instant now) {
        Duration longest = timeout.dividedBy(2);
        Duration pause = readAt.map(at -> Duration.between(at, now)).orElse(Duration.ZERO);
        return pause.compareTo(longest) > 0 ? pause.minus(longest) : Duration.ZERO;
    }
}
