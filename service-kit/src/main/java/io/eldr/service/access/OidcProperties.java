package io.eldr.service.access;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The OIDC provider whose tokens a service accepts beside its own ({@code eldr.access.oidc}). Without an issuer there is
 * none.
 *
 * @param issuerUri the issuer as tokens name it, to the letter
 * @param jwkSetUri where the provider's public keys are; what its {@code /.well-known/openid-configuration} says where it is
 *     null
 * @param audiences for whom a token must be, at least one of them: a token for another service does not count here
 * @param rolesClaim the claim of the token that holds the roles, a string or a list; with dots it goes into objects
 * @param roles the values of the claim that stand for each role; the role's own name where it names none
 */
public record OidcProperties(
        @Nullable String issuerUri,
        @Nullable URI jwkSetUri,
        @DefaultValue List<String> audiences,
        @DefaultValue("roles") String rolesClaim,
        @DefaultValue Map<Role, List<String>> roles) {

    private static final String PREFIX = "eldr.access.oidc.";

    public OidcProperties {
        audiences = List.copyOf(audiences);
        roles = Map.copyOf(roles);
        if (issuerUri != null && !issuerUri.isBlank()) {
            requireHttp("issuer-uri", issuerUri);
            if (audiences.stream().allMatch(String::isBlank)) {
                throw new IllegalArgumentException(PREFIX + "audiences is missing: without it a token that the provider"
                        + " made for any other service would count here");
            }
        } else if (jwkSetUri != null || !audiences.isEmpty() || !roles.isEmpty()) {
            throw new IllegalArgumentException(PREFIX + "issuer-uri is missing");
        }
        if (jwkSetUri != null) {
            requireHttp("jwk-set-uri", jwkSetUri.toString());
        }
        if (rolesClaim.isBlank()) {
            throw new IllegalArgumentException(PREFIX + "roles-claim is blank");
        }
    }

    /** No provider. */
    public static OidcProperties none() {
        return new OidcProperties(null, null, List.of(), "roles", Map.of());
    }

    /** Empty where no tokens of a provider are accepted. */
    public Optional<String> issuer() {
        return Optional.ofNullable(issuerUri).filter(issuer -> !issuer.isBlank());
    }

    private static void requireHttp(String property, String address) {
        if (!isHttp(address)) {
            throw new IllegalArgumentException(
                    PREFIX + property + " must be an http or https address but is " + address);
        }
    }

    private static boolean isHttp(String address) {
        try {
            URI uri = new URI(address);
            return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
