package io.eldr.router.gateway;

import io.eldr.service.access.TokenDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How the gateway runs ({@code eldr.gateway}). A bad value or an unknown property stops the start with its name.
 *
 * @param apiKeys who may send requests; with none, anybody may, and {@code Authorization} is passed on to the engines
 * @param engineAuthorization the {@code Authorization} that engines get where API keys are set
 * @param maxBody the largest body of a request, 1 KB to 1 GB
 * @param connectTimeout how long an engine may take to accept a connection, 10 ms to 1 min
 * @param prefillTimeout how long a prefill worker may take to answer, 1 s to 1 h
 * @param firstByteTimeout how long a decode worker may take to begin its answer, 1 s to 1 h
 * @param handoffDeadline within what time of the prefill worker's answer a decode worker must have taken the request over,
 *     100 ms to 5 min; the prefill worker keeps the prompt's state for a lease, 30 s in vLLM
 * @param engineIdle how long a connection to an engine is kept without a request, 100 ms to 10 min; vLLM's server closes
 *     its own after 5 s
 * @param attempts how often a request is begun anew on other workers, its first time included, 1 to 10
 * @param retryWithin nothing is begun anew later than that after the request came, 1 s to 1 h
 * @param decisionHeaders whether answers tell in {@code x-eldr-*} headers what was decided
 */
@ConfigurationProperties(value = "eldr.gateway", ignoreUnknownFields = false)
public record GatewayProperties(
        @DefaultValue List<ApiKey> apiKeys,
        @Nullable String engineAuthorization,
        @DefaultValue("32MB") DataSize maxBody,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("10m") Duration prefillTimeout,
        @DefaultValue("10m") Duration firstByteTimeout,
        @DefaultValue("10s") Duration handoffDeadline,
        @DefaultValue("4s") Duration engineIdle,
        @DefaultValue("3") int attempts,
        @DefaultValue("1m") Duration retryWithin,
        @DefaultValue("true") boolean decisionHeaders) {
    public GatewayProperties {
        apiKeys = List.copyOf(apiKeys);
        requireRange("max-body", maxBody.toBytes(), 1 << 10, 1 << 30);
        requireRange("connect-timeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
        requireRange("prefill-timeout", prefillTimeout, Duration.ofSeconds(1), Duration.ofHours(1));
        requireRange("first-byte-timeout", firstByteTimeout, Duration.ofSeconds(1), Duration.ofHours(1));
        requireRange("handoff-deadline", handoffDeadline, Duration.ofMillis(100), Duration.ofMinutes(5));
        requireRange("engine-idle", engineIdle, Duration.ofMillis(100), Duration.ofMinutes(10));
        requireRange("attempts", attempts, 1, 10);
        requireRange("retry-within", retryWithin, Duration.ofSeconds(1), Duration.ofHours(1));
    }

    /** What engines get as {@code Authorization} where API keys are set. */
    public Optional<String> authorizationForEngines() {
        return Optional.ofNullable(engineAuthorization);
    }

    /**
     * @param name whose key it is, for people
     * @param sha256 the SHA-256 of the key as 64 hexadecimal digits
     */
    public record ApiKey(String name, String sha256) {
        public ApiKey {
            if (name == null || name.isBlank()) {
                throw new IllegalArgumentException("eldr.gateway.api-keys: each needs a name");
            }
            try {
                TokenDigest.parse(String.valueOf(sha256));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "eldr.gateway.api-keys: sha256 of " + name + " " + e.getMessage(), e);
            }
        }

        TokenDigest digest() {
            return TokenDigest.parse(sha256);
        }
    }

    private static void requireRange(String property, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "eldr.gateway." + property + " must be between " + min + " and " + max + " but is " + value);
        }
    }

    private static void requireRange(String property, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "eldr.gateway." + property + " must be between " + min + " and " + max + " but is " + value);
        }
    }
}
