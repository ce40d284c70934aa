package io.eldr.router.intent;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The sign of life of a router, this one or another.
 *
 * @param url where other routers reach it, if it says so
 * @param lastSeen when it gave the sign, by its own clock
 * @param age how long ago that was by the database's clock, at least 0
 */
public record RouterHeartbeat(String id, Optional<URI> url, Instant lastSeen, Duration age) {}
