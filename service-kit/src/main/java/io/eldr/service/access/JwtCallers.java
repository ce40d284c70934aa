package io.eldr.service.access;

import com.nimbusds.jwt.SignedJWT;
import io.eldr.service.problem.ProblemType;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.JwtValidationException;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/**
 * Who a JWT of the OIDC provider is for: its signature, type, time, issuer and audience are checked, and the user and the
 * roles taken from its claims. No call goes to the provider but for its keys.
 */
final class JwtCallers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JwtCallers.class);

    private final KeyFetcher fetcher;
    private final ProviderKeys keys;
    private final JwtDecoder decoder;
    private final ClaimedRoles roles;

    private JwtCallers(String issuer, OidcProperties oidc, KeyFetcher fetcher) {
        this.fetcher = fetcher;
        this.keys = new ProviderKeys(issuer, fetcher::fetch, InstantSource.system());
        this.decoder = decoder(keys, issuer, oidc.audiences());
        this.roles = new ClaimedRoles(oidc.rolesClaim(), oidc.roles());
    }

    static JwtCallers of(String issuer, OidcProperties oidc) {
        return new JwtCallers(issuer, oidc, new KeyFetcher(issuer, Optional.ofNullable(oidc.jwkSetUri())));
    }

    /** By public keys alone: a secret, or none, signs nothing here. */
    private static JwtDecoder decoder(ProviderKeys keys, String issuer, List<String> audiences) {
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSource((selector, context) -> selector.select(keys.known()))
                .jwsAlgorithms(algorithms -> algorithms.addAll(List.of(SignatureAlgorithm.values())))
                .build();
        decoder.setJwtValidator(validator(issuer, audiences));
        return decoder;
    }

    private static OAuth2TokenValidator<Jwt> validator(String issuer, List<String> audiences) {
        // Access tokens have a type of their own since RFC 9068; what is logged out by, for instance, has another.
        JwtTypeValidator type = new JwtTypeValidator("JWT", "at+jwt", "application/at+jwt");
        type.setAllowEmpty(true);
        JwtTimestampValidator time = new JwtTimestampValidator();
        time.setAllowEmptyExpiryClaim(false);
        JwtClaimValidator<List<String>> audience = new JwtClaimValidator<>(
                JwtClaimNames.AUD, named -> named != null && named.stream().anyMatch(audiences::contains));
        return new DelegatingOAuth2TokenValidator<>(type, time, new JwtIssuerValidator(issuer), audience);
    }

    /** Whether a token has the form of a signed JWT. */
    static boolean isJwt(String token) {
        return token.chars().filter(c -> c == '.').count() == 2;
    }

    CompletableFuture<Caller> find(String token) {
        Optional<String> keyId;
        try {
            keyId = Optional.ofNullable(SignedJWT.parse(token).getHeader().getKeyID());
        } catch (ParseException e) {
            log.debug("No signed JWT: {}", e.getMessage());
            return CompletableFuture.failedFuture(refused("It is no signed JWT."));
        }
        return keys.await(keyId).handle((done, failure) -> {
            if (failure != null) {
                throw new TokenRefusedException(
                        ProblemType.UNAVAILABLE,
                        "The keys of the OIDC provider cannot be fetched, so its tokens cannot be checked now. Try again,"
                                + " or send a token of the configuration.");
            }
            return callerOf(decode(token));
        });
    }

    private Jwt decode(String token) {
        try {
            return decoder.decode(token);
        } catch (JwtValidationException e) {
            throw refused(
                    e.getErrors().stream().map(OAuth2Error::getDescription).collect(Collectors.joining(". ", "", ".")));
        } catch (JwtException e) {
            log.debug("A JWT is refused: {}", e.getMessage());
            throw refused("It is malformed, or no key of the OIDC provider has signed it as it is.");
        }
    }

    private Caller callerOf(Jwt jwt) {
        Map<String, Object> claims = jwt.getClaims();
        String name = Stream.of("preferred_username", JwtClaimNames.SUB)
                .map(claims::get)
                .filter(Objects::nonNull)
                .map(claim -> String.valueOf(claim).strip())
                .filter(Caller::isUser)
                .findFirst()
                .orElseThrow(() -> refused("It has neither a preferred_username nor a sub that can be shown."));
        Set<Role> allowed = roles.in(claims).stream()
                .flatMap(role -> role.withIncluded().stream())
                .collect(Collectors.toSet());
        return new Caller(name, allowed, false, Optional.empty());
    }

    private static TokenRefusedException refused(String reason) {
        return new TokenRefusedException(ProblemType.UNAUTHORIZED, "The token is not accepted. " + reason);
    }

    @Override
    public void close() {
        fetcher.close();
    }
}
