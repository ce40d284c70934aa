package io.eldr.admin.security;

import io.eldr.service.access.Role;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.core.user.OAuth2User;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.stereotype.Component;

/**
 * Ends a login at an OIDC provider: with a session of ours, or back on the page with why not. The provider's tokens are
 * not kept.
 */
@Component
final class OidcSignIn implements AuthenticationSuccessHandler, AuthenticationFailureHandler {
    private static final Logger log = LoggerFactory.getLogger(OidcSignIn.class);
    private static final int MAX_NAME = 128;

    private final SignIn signIn;
    private final OidcRoles roles;

    OidcSignIn(SignIn signIn, OidcRoles roles) {
        this.signIn = signIn;
        this.roles = roles;
    }

    @Override
    public void onAuthenticationSuccess(
            HttpServletRequest request, HttpServletResponse response, Authentication authentication)
            throws IOException {
        Map<String, Object> claims = claims(authentication);
        Optional<Role> role = roles.of(claims);
        Optional<String> name = name(claims, authentication);
        if (role.isEmpty() || name.isEmpty()) {
            log.info("A login by OIDC named {}", role.isEmpty() ? "no role that is known here" : "no usable name");
            signIn.end(request, response);
            back(request, response, role.isEmpty() ? "no-role" : "no-name");
            return;
        }
        String next = NextPage.take(request);
        signIn.begin(name.get(), role.get(), false, request, response);
        response.sendRedirect(next);
    }

    @Override
    public void onAuthenticationFailure(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException refusal)
            throws IOException {
        log.warn("A login by OIDC failed: {}", refusal.toString());
        back(request, response, "failed");
    }

    private static void back(HttpServletRequest request, HttpServletResponse response, String reason)
            throws IOException {
        response.sendRedirect(request.getContextPath() + "/login?problem=" + reason);
    }

    private static Map<String, Object> claims(Authentication authentication) {
        return switch (authentication.getPrincipal()) {
            case OidcUser user -> user.getClaims();
            case OAuth2User user -> user.getAttributes();
            case null, default -> Map.of();
        };
    }

    /** What a person is known by, else the subject; fit for a header and an audit row. */
    private static Optional<String> name(Map<String, Object> claims, Authentication authentication) {
        return Optional.of(String.valueOf(claims.getOrDefault("preferred_username", authentication.getName())))
                .map(String::strip)
                .filter(name -> !name.isEmpty()
                        && name.length() <= MAX_NAME
                        && name.chars().noneMatch(Character::isISOControl));
    }
}
