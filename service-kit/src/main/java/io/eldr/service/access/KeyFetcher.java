package io.eldr.service.access;

import com.nimbusds.jose.jwk.JWKSet;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.text.ParseException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Gets the public keys of an OIDC provider from it. */
final class KeyFetcher implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long MOST_BYTES = 1 << 20;

    private final String issuer;
    private final Optional<URI> keys;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    /** @param keys where they are; the provider's description of itself says it where it is empty */
    KeyFetcher(String issuer, Optional<URI> keys) {
        this.issuer = issuer;
        this.keys = keys;
    }

    CompletableFuture<JWKSet> fetch() {
        return keys.map(CompletableFuture::completedFuture)
                .orElseGet(this::discover)
                .thenCompose(this::get)
                .thenApply(KeyFetcher::parse)
                .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private CompletableFuture<URI> discover() {
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return get(URI.create(base + "/.well-known/openid-configuration")).thenApply(text -> {
            JsonNode description = read(text);
            if (!description.path("issuer").asString("").equals(issuer)) {
                throw new IllegalStateException("The provider calls itself " + description.path("issuer"));
            }
            return URI.create(description.path("jwks_uri").asString(""));
        });
    }

    private CompletableFuture<String> get(URI address) {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Accept", "application/json")
                .build();
        BodyHandler<String> body = BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES);
        return http.sendAsync(request, body).thenApply(answer -> text(address, answer));
    }

    private static String text(URI address, HttpResponse<String> answer) {
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(address + " answers " + answer.statusCode());
        }
        return answer.body();
    }

    private static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            throw new IllegalStateException("The provider's description is no JSON", e);
        }
    }

    private static JWKSet parse(String text) {
        try {
            return JWKSet.parse(text);
        } catch (ParseException e) {
            throw new IllegalStateException("The provider's keys cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
