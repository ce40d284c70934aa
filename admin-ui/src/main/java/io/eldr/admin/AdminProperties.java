package io.eldr.admin;

import io.eldr.service.access.ClaimedRoles;
import io.eldr.service.access.Role;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How the dashboard runs ({@code eldr.admin}). A bad value or an unknown property stops the start with its name.
 *
 * @param calibrationUrl where the calibration service is
 * @param token what this service is known by at the others: a token of role admin with {@code service: true}
 * @param routers routers that are known without the calibration service
 * @param live how the live state is gathered
 * @param calls how other services are called
 * @param session how long a login lasts, and how often it may fail
 * @param users where the built-in users are
 * @param oidc how users of an OIDC provider get their roles
 */
@ConfigurationProperties(value = "eldr.admin", ignoreUnknownFields = false)
public record AdminProperties(
        URI calibrationUrl,
        String token,
        @DefaultValue List<Router> routers,
        @DefaultValue Live live,
        @DefaultValue Calls calls,
        @DefaultValue Session session,
        @DefaultValue Users users,
        @DefaultValue Oidc oidc) {

    private static final String PREFIX = "eldr.admin.";
    private static final Set<String> ROLES = Set.of("viewer", "operator", "admin");

    public AdminProperties {
        requireHttp("calibration-url", calibrationUrl);
        if (isAbsent(token) || token.isBlank()) {
            throw new IllegalArgumentException(
                    PREFIX + "token is missing; give it as the environment variable ELDR_ADMIN_TOKEN");
        }
        routers = List.copyOf(routers);
        Set<String> names = new HashSet<>();
        for (Router router : routers) {
            if (!names.add(router.name())) {
                throw new IllegalArgumentException(PREFIX + "routers names '" + router.name() + "' twice");
            }
        }
    }

    /**
     * A router that is known from the start. One that the calibration service knows under the same address takes its place.
     *
     * @param name its name in paths: 1 to 64 letters, digits, {@code . _ -}
     * @param url where it is
     */
    public record Router(String name, URI url) {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

        public Router {
            if (isAbsent(name) || !NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        PREFIX + "routers[].name must be 1 to 64 letters, digits or any of . _ -");
            }
            requireHttp("routers[].url", url);
        }
    }

    /**
     * @param interval how often the live state is gathered, 100 ms to 1 min
     * @param timeout how long a part may take to answer before it is stale, 50 ms to 1 min
     * @param maxStreams how many dashboards may watch at a time, 1 to 10,000
     */
    public record Live(
            @DefaultValue("1s") Duration interval,
            @DefaultValue("2s") Duration timeout,
            @DefaultValue("500") int maxStreams) {
        public Live {
            requireRange("live.interval", interval, Duration.ofMillis(100), Duration.ofMinutes(1));
            requireRange("live.timeout", timeout, Duration.ofMillis(50), Duration.ofMinutes(1));
            requireRange("live.max-streams", maxStreams, 10_000);
        }
    }

    /**
     * @param connectTimeout how long a service may take to accept a connection, 50 ms to 1 min
     * @param timeout how long it may take to begin an answer, 1 s to 1 h
     * @param maxBody the largest body that is passed on, 1 KB to 1 GB
     * @param sslBundle whose authorities the certificates of services with https must be from, whatever names they bear; those
     *     of the JVM, and the right name, where it is null
     */
    public record Calls(
            @DefaultValue("2s") Duration connectTimeout,
            @DefaultValue("60s") Duration timeout,
            @DefaultValue("64MB") DataSize maxBody,
            @Nullable String sslBundle) {
        public Calls {
            requireRange("calls.connect-timeout", connectTimeout, Duration.ofMillis(50), Duration.ofMinutes(1));
            requireRange("calls.timeout", timeout, Duration.ofSeconds(1), Duration.ofHours(1));
            if (maxBody.toBytes() < 1_024 || maxBody.toGigabytes() > 1) {
                throw new IllegalArgumentException(
                        PREFIX + "calls.max-body must be between 1KB and 1GB but is " + maxBody);
            }
        }
    }

    /**
     * @param lifetime when a session ends after its login, used or not, 1 s to 7 days
     * @param failures how many logins may fail in a row, for a user and for an address, before they must wait, 1 to 1,000
     * @param lockFor how long they must wait then, 1 s to 1 day
     */
    public record Session(
            @DefaultValue("8h") Duration lifetime,
            @DefaultValue("5") int failures,
            @DefaultValue("1m") Duration lockFor) {
        public Session {
            requireRange("session.lifetime", lifetime, Duration.ofSeconds(1), Duration.ofDays(7));
            requireRange("session.failures", failures, 1_000);
            requireRange("session.lock-for", lockFor, Duration.ofSeconds(1), Duration.ofDays(1));
        }
    }

    /**
     * @param enabled whether user names and passwords are taken
     * @param file one user a line; made with the users admin, operator and viewer if it is not there
     * @param passwords what these users' passwords are then, by user, each 12 to 72 bytes; generated where there is none
     */
    public record Users(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("eldr-users") Path file,
            @DefaultValue Map<String, String> passwords) {
        private static final int SHORTEST = 12;
        private static final int LONGEST = 72;

        public Users {
            passwords = Map.copyOf(passwords);
            passwords.forEach((user, password) -> {
                requireRole("users.passwords", user);
                int bytes = password.getBytes(StandardCharsets.UTF_8).length;
                if (bytes < SHORTEST || bytes > LONGEST) {
                    throw new IllegalArgumentException(PREFIX + "users.passwords." + user + " must have " + SHORTEST
                            + " to " + LONGEST + " bytes");
                }
            });
        }
    }

    /**
     * @param rolesClaim the claim of the ID token that holds the roles, a string or a list; with dots it goes into objects
     * @param roles the values of the claim that stand for each role; the role's own name where it names none
     */
    public record Oidc(
            @DefaultValue("roles") String rolesClaim,
            @DefaultValue Map<String, List<String>> roles) {
        public Oidc {
            roles = Map.copyOf(roles);
            roles.keySet().forEach(role -> requireRole("oidc.roles", role));
        }

        public ClaimedRoles claimedRoles() {
            return new ClaimedRoles(
                    rolesClaim,
                    roles.entrySet().stream()
                            .collect(Collectors.toMap(
                                    role -> Role.valueOf(role.getKey().toUpperCase(Locale.ROOT)),
                                    Map.Entry::getValue)));
        }
    }

    private static void requireRole(String property, String role) {
        if (!ROLES.contains(role)) {
            throw new IllegalArgumentException(
                    PREFIX + property + " knows viewer, operator and admin but not '" + role + "'");
        }
    }

    private static void requireHttp(String property, @Nullable URI url) {
        boolean http = url != null
                && ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                && url.getHost() != null;
        if (!http) {
            throw new IllegalArgumentException(PREFIX + property + " must be an http or https address but is " + url);
        }
    }

    /** The binder passes null for what the configuration does not name. */
    private static boolean isAbsent(@Nullable Object value) {
        return value == null;
    }

    private static void requireRange(String property, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    PREFIX + property + " must be between " + min + " and " + max + " but is " + value);
        }
    }

    private static void requireRange(String property, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(
                    PREFIX + property + " must be between 1 and " + max + " but is " + value);
        }
    }
}
