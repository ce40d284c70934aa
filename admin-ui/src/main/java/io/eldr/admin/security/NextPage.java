package io.eldr.admin.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Remembers over a login elsewhere which page it began on, which the parameter {@code next} names. Only a path of ours
 * counts: a login must not end on a page that somebody else chose.
 */
final class NextPage extends OncePerRequestFilter {
    private static final String ATTRIBUTE = NextPage.class.getName();
    private static final String LOGIN = "/oauth2/authorization/";
    private static final Pattern PATH = Pattern.compile("/(?![/\\\\])[A-Za-z0-9._~!$&'()*+,;=:@%/?-]{0,1000}");

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getRequestURI().startsWith(request.getContextPath() + LOGIN)) {
            Optional.ofNullable(request.getParameter("next"))
                    .filter(next -> isOurs(next, request))
                    .ifPresent(next -> request.getSession(true).setAttribute(ATTRIBUTE, next));
        }
        chain.doFilter(request, response);
    }

    private static boolean isOurs(String next, HttpServletRequest request) {
        return PATH.matcher(next).matches() && next.startsWith(request.getContextPath() + "/");
    }

    /** The page that was remembered, once; else the first one. */
    static String take(HttpServletRequest request) {
        @Nullable HttpSession session = request.getSession(false);
        Optional<String> next = Optional.ofNullable(session)
                .map(known -> known.getAttribute(ATTRIBUTE))
                .map(String.class::cast);
        if (session != null) {
            session.removeAttribute(ATTRIBUTE);
        }
        return next.orElse(request.getContextPath() + "/");
    }
}
