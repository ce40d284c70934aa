package io.eldr.admin.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes whoever fails to log in again and again wait. A user and an address are counted apart: one guesses the passwords
 * of a user from many addresses, another those of many users from one. Only the newest are remembered.
 */
final class LoginThrottle {
    private static final int MAX_REMEMBERED = 10_000;

    private record Failures(int count, Instant last) {}

    private final int allowed;
    private final Duration lockFor;
    private final InstantSource clock;

    private final Map<String, Failures> failures = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    /**
     * @param allowed how many may fail in a row
     * @param lockFor how long to wait after the last of them
     */
    LoginThrottle(int allowed, Duration lockFor, InstantSource clock) {
        this.allowed = allowed;
        this.lockFor = lockFor;
        this.clock = clock;
    }

    /** How long a login must still wait; empty if it may be tried. */
    synchronized Optional<Duration> mustWait(String user, String address) {
        Instant now = clock.instant();
        return keys(user, address)
                .map(key -> Optional.ofNullable(failures.get(key)))
                .flatMap(Optional::stream)
                .filter(failed -> failed.count() >= allowed)
                .map(failed -> Duration.between(now, failed.last().plus(lockFor)))
                .filter(Duration::isPositive)
                .max(Duration::compareTo);
    }

    synchronized void failed(String user, String address) {
        Instant now = clock.instant();
        keys(user, address).forEach(key -> {
            Optional<Failures> before = Optional.ofNullable(failures.remove(key))
                    .filter(failed -> failed.last().plus(lockFor).isAfter(now));
            failures.put(key, new Failures(before.map(Failures::count).orElse(0) + 1, now));
        });
    }

    synchronized void succeeded(String user, String address) {
        keys(user, address).forEach(failures::remove);
    }

    /** How many users and addresses are remembered. */
    synchronized int remembered() {
        return failures.size();
    }

    private static Stream<String> keys(String user, String address) {
        return Stream.of("user " + user, "address " + address);
    }
}
