package io.eldr.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ProviderKeysTest {
    private final Deque<CompletableFuture<JWKSet>> asked = new ArrayDeque<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ProviderKeys keys = new ProviderKeys("https://id.example.com", this::ask, () -> now);

    private CompletableFuture<JWKSet> ask() {
        asked.add(new CompletableFuture<>());
        return asked.getLast();
    }

    @Test
    void asksTheProviderOnceForAllWhoWaitForTheFirstKeys() {
        assertThat(asked).isEmpty();
        CompletableFuture<?> first = keys.await(Optional.of("a"));
        CompletableFuture<?> second = keys.await(Optional.of("b"));
        CompletableFuture<?> third = keys.await(Optional.empty());
        assertThat(asked).hasSize(1);
        assertThat(first).isNotDone();

        answer("a", "b");

        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
        assertThat(keys.await(Optional.of("a"))).isCompleted();
        assertThat(asked).hasSize(1);
    }

    @Test
    void asksAgainForAKeyItDoesNotKnowButNotForEach() {
        assertThat(keys.await(Optional.of("a"))).isNotDone();
        answer("a");

        for (int i = 0; i < 10; i++) {
            assertThat(keys.await(Optional.of("made-up-" + i)))
                    .as("nothing to wait for")
                    .isCompleted();
        }
        assertThat(asked).hasSize(1);

        now = now.plus(ProviderKeys.PAUSE);
        CompletableFuture<?> next = keys.await(Optional.of("b"));
        assertThat(asked).hasSize(2);
        answer("a", "b");
        assertThat(next).isCompleted();
        assertThat(keys.known().getKeyByKeyId("b")).isNotNull();
    }

    @Test
    void looksAfterKeysThatAreOldWhileNobodyWaits() {
        assertThat(keys.await(Optional.of("a"))).isNotDone();
        answer("a");

        now = now.plus(ProviderKeys.FRESH).plusSeconds(1);
        assertThat(keys.await(Optional.of("a"))).isCompleted();
        assertThat(asked).hasSize(2);
        answer("b");

        assertThat(keys.known().getKeyByKeyId("a"))
                .as("the provider gave it up")
                .isNull();
        assertThat(keys.await(Optional.of("a"))).isCompleted();
        assertThat(asked).hasSize(2);
    }

    @Test
    void keepsTheKeysItHasWhileTheProviderIsAway() {
        assertThat(keys.await(Optional.of("a"))).isNotDone();
        answer("a");

        now = now.plus(Duration.ofDays(1));
        assertThat(keys.await(Optional.of("a"))).isCompleted();
        fail();

        assertThat(keys.await(Optional.of("a"))).isCompleted();
        assertThat(keys.await(Optional.of("b")))
                .as("nobody knows whether there is one")
                .isCompletedExceptionally();
        assertThat(asked).hasSize(2);
    }

    @Test
    void triesAgainAfterAFailureButNotForEachToken() {
        CompletableFuture<?> first = keys.await(Optional.of("a"));
        fail();
        assertThatThrownBy(first::join).hasRootCauseMessage("nobody there");
        assertThat(keys.await(Optional.of("a"))).isCompletedExceptionally();
        assertThat(asked).hasSize(1);

        now = now.plus(ProviderKeys.PAUSE_AFTER_FAILURE);
        CompletableFuture<?> second = keys.await(Optional.of("a"));
        answer("a");

        assertThat(second).isCompleted();
        assertThat(asked).hasSize(2);
    }

    private void answer(String... names) {
        asked.getLast()
                .complete(new JWKSet(Arrays.stream(names)
                        .map(name -> new OctetSequenceKey.Builder(new byte[32])
                                .keyID(name)
                                .build())
                        .map(key -> (JWK) key)
                        .toList()));
    }

    private void fail() {
        asked.getLast().completeExceptionally(new IOException("nobody there"));
    }
}
