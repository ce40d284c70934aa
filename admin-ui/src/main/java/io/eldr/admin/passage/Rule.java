package io.eldr.admin.passage;

import io.eldr.service.access.Role;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * A call that is passed on.
 *
 * @param role what the user must have
 */
record Rule(HttpMethod method, PathPattern path, Role role) {
    static Rule of(HttpMethod method, String pattern, Role role) {
        return new Rule(method, PathPatternParser.defaultInstance.parse(pattern), role);
    }

    boolean covers(HttpMethod other, PathContainer called) {
        return method.equals(other) && path.matches(called);
    }
}
