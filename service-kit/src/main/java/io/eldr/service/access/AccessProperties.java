package io.eldr.service.access;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whose tokens a service accepts ({@code eldr.access}). Its own are configuration, not rows of a database, so that callers
 * are known while Postgres is away. An unknown property, a bad value or a duplicate stops the start.
 *
 * @param tokens the service's own tokens; names and digests are unique; nobody gets in where there are neither these nor a
 *     provider
 * @param oidc the provider whose tokens are accepted as well
 */
@ConfigurationProperties(value = "eldr.access", ignoreUnknownFields = false)
public record AccessProperties(
        @DefaultValue List<TokenProperties> tokens,
        @DefaultValue OidcProperties oidc) {

    public AccessProperties {
        tokens = List.copyOf(tokens);
        Map<String, Integer> names = new HashMap<>();
        Map<TokenDigest, Integer> digests = new HashMap<>();
        for (int i = 0; i < tokens.size(); i++) {
            TokenProperties token = tokens.get(i);
            refuseSecond(names.putIfAbsent(token.name(), i), i, "name");
            refuseSecond(digests.putIfAbsent(token.digest(), i), i, "sha256");
        }
    }

    private static void refuseSecond(@Nullable Integer first, int second, String property) {
        if (first != null) {
            throw new IllegalArgumentException(
                    "eldr.access.tokens[%d].%s is the same as that of eldr.access.tokens[%d]; each token needs its own"
                            .formatted(second, property, first));
        }
    }

    /**
     * One token.
     *
     * @param name who the token was given to, as audit rows and logs show it: 1 to 64 letters, digits, {@code . _ -}
     * @param role what it allows
     * @param sha256 the SHA-256 of the token, 64 hexadecimal digits
     * @param service whether it belongs to a service that acts for users, whose {@code X-Eldr-Acting-User} counts
     */
    public record TokenProperties(
            String name,
            Role role,
            String sha256,
            @DefaultValue("false") boolean service) {

        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

        public TokenProperties {
            require(name, "name");
            require(role, "role");
            require(sha256, "sha256");
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("name must be 1 to 64 letters, digits or any of . _ -");
            }
            try {
                sha256 = TokenDigest.parse(sha256).hex();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("sha256 " + e.getMessage(), e);
            }
        }

        TokenDigest digest() {
            return TokenDigest.parse(sha256);
        }

        /** The binder passes null for what the configuration does not name. */
        private static void require(@Nullable Object value, String property) {
            if (value == null) {
                throw new IllegalArgumentException(property + " is missing");
            }
        }
    }
}
