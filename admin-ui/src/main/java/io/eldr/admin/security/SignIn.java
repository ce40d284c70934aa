package io.eldr.admin.security;

import io.eldr.admin.AdminProperties;
import io.eldr.service.access.Role;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.authentication.session.ChangeSessionIdAuthenticationStrategy;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.stereotype.Component;

/** Begins and ends sessions, whoever vouches for the user. */
@Component
public class SignIn {
    private static final Logger log = LoggerFactory.getLogger(SignIn.class);

    private final AdminProperties.Session settings;
    private final InstantSource clock;
    private final CsrfTokenRepository csrf;
    private final SecurityContextRepository contexts = new HttpSessionSecurityContextRepository();
    private final ChangeSessionIdAuthenticationStrategy freshId = new ChangeSessionIdAuthenticationStrategy();

    SignIn(AdminProperties properties, InstantSource clock, CsrfTokenRepository csrf) {
        this.settings = properties.session();
        this.clock = clock;
        this.csrf = csrf;
    }

    /** Begins a session under a new id, with a new CSRF token. */
    public AdminUser begin(
            String name, Role role, boolean builtIn, HttpServletRequest request, HttpServletResponse response) {
        Instant expiresAt = clock.instant().plus(settings.lifetime());
        AdminUser user = new AdminUser(name, role, builtIn, expiresAt);
        Authentication authentication = user.authentication();
        request.getSession(true)
                .setMaxInactiveInterval((int) settings.lifetime().toSeconds());
        freshId.onAuthentication(authentication, request, response);
        csrf.saveToken(null, request, response);
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(authentication);
        SecurityContextHolder.setContext(context);
        contexts.saveContext(context, request, response);
        log.info("{} logged in as {}", name, user.roleName());
        return user;
    }

    /** Ends the session, if there is one. */
    public void end(HttpServletRequest request, HttpServletResponse response) {
        var session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
        csrf.saveToken(null, request, response);
        SecurityContextHolder.clearContext();
    }
}
