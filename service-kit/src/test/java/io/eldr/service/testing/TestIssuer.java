package io.eldr.service.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** As much of an OIDC provider as a service sees: its description, its keys, and the tokens it makes. */
public final class TestIssuer implements AutoCloseable {
    public static final String AUDIENCE = "eldr";

    private static final String KEYS = "/keys";
    private static final RSAKey OF_OTHERS = newKey("of-others");

    private final HttpServer server;
    private final AtomicInteger asked = new AtomicInteger();
    private final RSAKey key = newKey("key-1");
    private volatile boolean away;

    private TestIssuer(HttpServer server) {
        this.server = server;
    }

    public static TestIssuer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            TestIssuer issuer = new TestIssuer(server);
            server.createContext("/", issuer::answer);
            server.start();
            return issuer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.equals(KEYS)) {
                asked.incrementAndGet();
            }
            if (away) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            String text = switch (path) {
                case KEYS -> new JWKSet(key.toPublicJWK()).toString();
                case "/.well-known/openid-configuration" ->
                    "{\"issuer\":\"" + uri() + "\",\"jwks_uri\":\"" + keysUri() + "\"}";
                default -> "";
            };
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(text.isEmpty() ? 404 : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    public String uri() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public String keysUri() {
        return uri() + KEYS;
    }

    /** What a service is told that is to accept these tokens. */
    public List<String> properties() {
        return List.of(
                "eldr.access.oidc.issuer-uri=" + uri(),
                "eldr.access.oidc.audiences=" + AUDIENCE,
                "eldr.access.oidc.roles-claim=realm_access.roles",
                "eldr.access.oidc.roles.admin=eldr-admins");
    }

    /** Whether it has an outage. */
    public void away(boolean now) {
        away = now;
    }

    /** How often it was asked for its keys. */
    public int asked() {
        return asked.get();
    }

    public String token(String user, String... roles) {
        return sign(claims(user, roles).build());
    }

    public JWTClaimsSet.Builder claims(String user, String... roles) {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(uri())
                .audience(List.of("account", AUDIENCE))
                .subject("id of " + user)
                .claim("preferred_username", user)
                .claim("realm_access", Map.of("roles", List.of(roles)))
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(Duration.ofHours(1))));
    }

    public String sign(JWTClaimsSet claims) {
        return sign(header(key.getKeyID()).build(), signer(key), claims);
    }

    /** Tokens nobody may accept, by what is wrong with them. All name an admin. */
    public Map<String, String> badTokens() {
        JWTClaimsSet good = claims("mallory", "eldr-admins").build();
        Date begun = Date.from(Instant.now().minus(Duration.ofHours(2)));
        Date past = Date.from(Instant.now().minus(Duration.ofHours(1)));
        Date future = Date.from(Instant.now().plus(Duration.ofMinutes(30)));
        Map<String, String> bad = new LinkedHashMap<>();
        bad.put(
                "signed with another key of the same name",
                sign(header(key.getKeyID()).build(), signer(OF_OTHERS), good));
        bad.put("signed with a key nobody knows", sign(header("unheard-of").build(), signer(OF_OTHERS), good));
        bad.put("signed with another key without a name", sign(header(null).build(), signer(OF_OTHERS), good));
        bad.put("not signed", new PlainJWT(good).serialize());
        bad.put("signed with the public key as a secret", confused(good));
        bad.put("changed after it was signed", tampered(good));
        bad.put(
                "of another issuer",
                sign(claims("mallory", "eldr-admins").issuer(uri() + "/other").build()));
        bad.put(
                "for another service",
                sign(claims("mallory", "eldr-admins").audience("billing").build()));
        bad.put(
                "for nobody",
                sign(claims("mallory", "eldr-admins").audience((String) null).build()));
        bad.put(
                "expired",
                sign(claims("mallory", "eldr-admins")
                        .issueTime(begun)
                        .expirationTime(past)
                        .build()));
        bad.put(
                "without an end",
                sign(claims("mallory", "eldr-admins").expirationTime(null).build()));
        bad.put(
                "not valid yet",
                sign(claims("mallory", "eldr-admins").notBeforeTime(future).build()));
        bad.put("of nobody", sign(claims(" ", "eldr-admins").subject(null).build()));
        bad.put(
                "no access token",
                sign(
                        header(key.getKeyID())
                                .type(new JOSEObjectType("logout+jwt"))
                                .build(),
                        signer(key),
                        good));
        bad.put("three words with dots", "a.b.c");
        bad.put("only dots", "..");
        return bad;
    }

    private String tampered(JWTClaimsSet claims) {
        String signed = token("mallory");
        return signed.substring(0, signed.indexOf('.') + 1)
                + claims.toPayload().toBase64URL()
                + signed.substring(signed.lastIndexOf('.'));
    }

    /** What passes where the algorithm is the token's choice and the key is not looked at. */
    private String confused(JWTClaimsSet claims) {
        try {
            return sign(
                    new JWSHeader.Builder(JWSAlgorithm.HS256)
                            .keyID(key.getKeyID())
                            .build(),
                    new MACSigner(key.toRSAPublicKey().getEncoded()),
                    claims);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JWSHeader.Builder header(@Nullable String keyId) {
        return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(keyId).type(JOSEObjectType.JWT);
    }

    private static JWSSigner signer(RSAKey key) {
        try {
            return new RSASSASigner(key);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String sign(JWSHeader header, JWSSigner signer, JWTClaimsSet claims) {
        try {
            SignedJWT token = new SignedJWT(header, claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey newKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
