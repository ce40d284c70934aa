package io.eldr.service.access;

import com.nimbusds.jose.jwk.JWKSet;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of an OIDC provider. They are fetched for the first token, again for one that is signed with a key that is
 * not here, and while tokens come, every five minutes, for which nobody waits. Where that fails, those that are here stay.
 * However many tokens come, one fetch runs at a time, with pauses. Safe for any number of threads; none is ever blocked.
 */
final class ProviderKeys {
    static final Duration FRESH = Duration.ofMinutes(5);
    /** Anybody can invent a token with an unknown key; the provider is not to suffer for it. */
    static final Duration PAUSE = Duration.ofSeconds(10);

    static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(ProviderKeys.class);
    private static final CompletableFuture<Object> AT_HAND = CompletableFuture.completedFuture(new Object());

    private final String issuer;
    private final Supplier<CompletableFuture<JWKSet>> source;
    private final InstantSource clock;
    private volatile JWKSet known = new JWKSet();
    private volatile Instant fetchedAt = Instant.MIN;
    private volatile boolean failing;
    private Instant askedAt = Instant.MIN;
    private CompletableFuture<JWKSet> newest = CompletableFuture.completedFuture(known);

    ProviderKeys(String issuer, Supplier<CompletableFuture<JWKSet>> source, InstantSource clock) {
        this.issuer = issuer;
        this.source = source;
        this.clock = clock;
    }

    JWKSet known() {
        return known;
    }

    /**
     * Done once the key is among the known ones, or it is certain that the provider does not have it; fails where the
     * provider cannot be asked.
     *
     * @param keyId the key's name; any key will do where it is empty
     */
    CompletableFuture<?> await(Optional<String> keyId) {
        boolean here = isHere(keyId);
        boolean old = fetchedAt.plus(FRESH).isBefore(clock.instant());
        CompletableFuture<?> fetch = here && !old ? AT_HAND : fetch();
        return here ? AT_HAND : fetch;
    }

    private boolean isHere(Optional<String> keyId) {
        JWKSet keys = known;
        return keyId.map(id -> keys.getKeyByKeyId(id) != null)
                .orElse(!keys.getKeys().isEmpty());
    }

    private synchronized CompletableFuture<JWKSet> fetch() {
        Duration pause = newest.isCompletedExceptionally() ? PAUSE_AFTER_FAILURE : PAUSE;
        if (newest.isDone() && !askedAt.plus(pause).isAfter(clock.instant())) {
            askedAt = clock.instant();
            newest = source.get().whenComplete(this::learn);
        }
        return newest;
    }

    private void learn(JWKSet keys, @Nullable Throwable failure) {
        if (failure == null) {
            known = keys;
            fetchedAt = clock.instant();
            if (failing) {
                log.info("The keys of {} are fetched again", issuer);
            }
        } else if (!failing) {
            log.warn(
                    "The keys of {} cannot be fetched; those known before, if any, stay: {}",
                    issuer,
                    failure.toString());
        }
        failing = failure != null;
    }
}
