package io.eldr.service.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import io.eldr.service.testing.TestIssuer;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpHeaders;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.web.ErrorResponseException;

/** What is made of the tokens of an OIDC provider, which is asked over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JwtCallersTest {
    private final TestIssuer issuer = TestIssuer.start();
    private final Callers callers = callers(issuer, URI.create(issuer.keysUri()));

    private static Callers callers(TestIssuer issuer, @Nullable URI keys) {
        return new Callers(
                new AccessTokens(new AccessProperties(
                        List.of(new AccessProperties.TokenProperties(
                                "script",
                                Role.VIEWER,
                                TokenDigest.of("a.secret.word").hex(),
                                false)),
                        OidcProperties.none())),
                new OidcProperties(
                        issuer.uri(),
                        keys,
                        List.of("other", TestIssuer.AUDIENCE),
                        "realm_access.roles",
                        Map.of(Role.ADMIN, List.of("eldr-admins"))));
    }

    @AfterAll
    void stop() {
        callers.close();
        issuer.close();
    }

    @ParameterizedTest
    @CsvSource({
        "viewer, VIEWER",
        "client, CLIENT",
        "client viewer, CLIENT VIEWER",
        "operator, VIEWER CLIENT OPERATOR",
        "eldr-admins, VIEWER CLIENT OPERATOR ADMIN",
        "admin, ''",
        "staff, ''"
    })
    void aTokenHasTheRolesOfItsClaim(String claimed, String roles) {
        Caller caller = callers.find(issuer.token("ada", claimed.split(" "))).join();

        assertThat(caller.name()).isEqualTo("ada");
        assertThat(caller.service())
                .as("nobody acts for others by such a token")
                .isFalse();
        assertThat(caller.roles())
                .extracting(Role::name)
                .containsExactlyInAnyOrder(roles.isEmpty() ? new String[0] : roles.split(" "));
    }

    @Test
    void aUserWithoutAUsableNameIsKnownByTheSubject() {
        JWTClaimsSet nameless =
                issuer.claims("ada", "viewer").claim("preferred_username", null).build();
        JWTClaimsSet unprintable = issuer.claims("ada", "viewer")
                .claim("preferred_username", "a\nb")
                .build();

        assertThat(callers.find(issuer.sign(nameless)).join().name()).isEqualTo("id of ada");
        assertThat(callers.find(issuer.sign(unprintable)).join().name()).isEqualTo("id of ada");
    }

    @Test
    void noOtherTokenIsAccepted() {
        issuer.badTokens()
                .forEach((flaw, token) -> assertThatThrownBy(() -> new CallerIntrospector(callers).introspect(token))
                        .as(flaw)
                        .isInstanceOfSatisfying(TokenRefusedException.class, refusal -> {
                            ErrorResponseException answer = TokenRefusedException.answer(refusal);
                            assertThat(answer.getStatusCode().value()).isEqualTo(401);
                            assertThat(answer.getBody().getDetail()).startsWith("The token is not accepted.");
                            assertThat(answer.getHeaders().getFirst(HttpHeaders.WWW_AUTHENTICATE))
                                    .isEqualTo("Bearer error=\"invalid_token\"");
                        }));
    }

    @Test
    void saysWhatIsWrongWithATokenThatTheProviderMade() {
        Map<String, String> bad = issuer.badTokens();

        assertThat(detail(bad.getOrDefault("expired", ""))).contains("expired");
        assertThat(detail(bad.getOrDefault("of another issuer", ""))).contains("iss");
        assertThat(detail(bad.getOrDefault("for another service", ""))).contains("aud");
    }

    private String detail(String token) {
        try {
            return new CallerIntrospector(callers).introspect(token).getName();
        } catch (TokenRefusedException e) {
            return String.valueOf(TokenRefusedException.answer(e).getBody().getDetail());
        }
    }

    @Test
    void aTokenOfTheConfigurationMayLookLikeOne() {
        assertThat(callers.find("a.secret.word").join().name()).isEqualTo("script");
    }

    @Test
    void whatDoesNotLookLikeOneIsNoReasonToAskTheProvider() {
        try (TestIssuer other = TestIssuer.start();
                Callers callersOfOther = callers(other, null)) {
            assertThatThrownBy(() -> new CallerIntrospector(callersOfOther).introspect("guessed"))
                    .isInstanceOf(BadOpaqueTokenException.class);
            assertThat(other.asked()).isZero();
        }
    }

    @Test
    void findsTheKeysByTheProvidersDescription() {
        try (Callers discovering = callers(issuer, null)) {
            assertThat(discovering.find(issuer.token("ada", "viewer")).join().name())
                    .isEqualTo("ada");
        }
    }

    @Test
    void asksForKeysOnce() {
        try (TestIssuer other = TestIssuer.start();
                Callers callersOfOther = callers(other, null)) {
            for (int i = 0; i < 20; i++) {
                assertThat(callersOfOther
                                .find(other.token("ada", "viewer"))
                                .join()
                                .name())
                        .isEqualTo("ada");
            }
            other.badTokens()
                    .values()
                    .forEach(token -> assertThat(callersOfOther.find(token)).isCompletedExceptionally());
            assertThat(other.asked()).isEqualTo(1);
        }
    }
}
