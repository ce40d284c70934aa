package io.eldr.router.report;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The newest report of each client, by pool, while it is fresh. */
final class ClientReports {
    /** A client reports every second or so; one that is silent for so long has stopped. */
    static final Duration FRESH = Duration.ofSeconds(15);

    /** More than so many clients of a pool are not heard. */
    static final int MAX_CLIENTS = 16;

    private final InstantSource clock;
    /** By pool and client; guarded by this. */
    private final Map<String, Map<String, Received>> byPool = new TreeMap<>();

    ClientReports(InstantSource clock) {
        this.clock = clock;
    }

    /** A report, who sent it and when it came. */
    record Received(String client, ClientReport report, Instant at) {}

    /**
     * Takes the place of the client's last report.
     *
     * @return whether there was room for it
     */
    synchronized boolean put(String pool, String client, ClientReport report) {
        Map<String, Received> clients = byPool.computeIfAbsent(pool, name -> new TreeMap<>());
        dropStale(clients);
        if (clients.size() >= MAX_CLIENTS && !clients.containsKey(client)) {
            return false;
        }
        clients.put(client, new Received(client, report, clock.instant()));
        return true;
    }

    /** In the order of the clients' names. */
    synchronized List<Received> of(String pool) {
        Map<String, Received> clients = byPool.getOrDefault(pool, Map.of());
        dropStale(clients);
        if (clients.isEmpty()) {
            byPool.remove(pool);
        }
        return new ArrayList<>(clients.values());
    }

    private void dropStale(Map<String, Received> clients) {
        Instant oldest = clock.instant().minus(FRESH);
        clients.values().removeIf(received -> received.at().isBefore(oldest));
    }
}
