package io.eldr.calibration.security;

import io.eldr.core.signature.InvalidInputException;
import io.eldr.service.access.Caller;
import io.eldr.service.access.CallerPrincipal;
import io.eldr.service.problem.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Where a service acts for a user, the call goes on as that user's: under the user's name, and with no more than the user's
 * role allows, whatever the service's own token would.
 */
final class ActingUserFilter extends OncePerRequestFilter {

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        @Nullable
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        if (authentication != null && authentication.getPrincipal() instanceof CallerPrincipal principal) {
            try {
                act(principal.caller(), request);
            } catch (InvalidInputException refusal) {
                SecurityConfiguration.write(response, Problems.invalid(refusal));
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private static void act(Caller service, HttpServletRequest request) {
        Caller acting = service.actingFor(
                request.getHeader(Caller.ACTING_USER_HEADER), request.getHeader(Caller.ACTING_ROLE_HEADER));
        if (acting.equals(service)) {
            return;
        }
        CallerPrincipal principal = new CallerPrincipal(acting);
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(
                UsernamePasswordAuthenticationToken.authenticated(principal, null, principal.getAuthorities()));
        SecurityContextHolder.setContext(context);
    }
}
