package io.eldr.admin.passage;

import static io.eldr.service.access.Role.ADMIN;
import static io.eldr.service.access.Role.OPERATOR;
import static io.eldr.service.access.Role.VIEWER;
import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.PATCH;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;

import io.eldr.service.access.Role;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;

/**
 * Which calls are passed on to a kind of service, and what role each needs. What is not named is not passed on. The
 * services ask for the role once more, and alone know what a body needs on top.
 */
final class Rules {
    static final Rules CALIBRATION = new Rules(List.of(
            Rule.of(GET, "/v1/audit", VIEWER),
            Rule.of(GET, "/v1/routers", VIEWER),
            Rule.of(GET, "/v1/pools", VIEWER),
            Rule.of(GET, "/v1/pools/**", VIEWER),
            Rule.of(POST, "/v1/pools/{pool}/activations", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/rollback", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/artifacts", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/refits", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/refits/{id}/approve", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/refits/{id}/cancel", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/refits/{id}/dismiss", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/evaluations", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/evaluations/{id}/cancel", OPERATOR),
            Rule.of(DELETE, "/v1/pools/{pool}/evaluations/{id}", OPERATOR),
            Rule.of(PUT, "/v1/pools/{pool}/workers/{slot}", OPERATOR),
            Rule.of(DELETE, "/v1/pools/{pool}/workers/{slot}", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/workers/{slot}/drain", OPERATOR),
            Rule.of(POST, "/v1/pools/{pool}/workers/{slot}/resume", OPERATOR),
            Rule.of(POST, "/v1/pools", ADMIN),
            Rule.of(PATCH, "/v1/pools/{pool}", OPERATOR),
            Rule.of(DELETE, "/v1/pools/{pool}", ADMIN)));

    static final Rules ROUTER = new Rules(List.of(
            Rule.of(GET, "/v1/pools", VIEWER),
            Rule.of(GET, "/v1/pools/{pool}/artifact", VIEWER),
            Rule.of(GET, "/v1/pools/{pool}/clients", VIEWER),
            Rule.of(GET, "/v1/pools/{pool}/decoders", VIEWER),
            Rule.of(GET, "/v1/pools/{pool}/map", VIEWER),
            Rule.of(GET, "/v1/pools/{pool}/prefillers", VIEWER),
            Rule.of(GET, "/v1/pools/{pool}/shadow", VIEWER),
            Rule.of(GET, "/v1/pools/{pool}/switchback", VIEWER),
            Rule.of(GET, "/v1/decisions/{requestId}", VIEWER)));

    private final List<Rule> rules;

    private Rules(List<Rule> rules) {
        this.rules = rules;
    }

    /** What role a call needs; empty if it is not passed on. */
    Optional<Role> needed(HttpMethod method, String rawPath) {
        PathContainer path = PathContainer.parsePath(rawPath);
        return rules.stream()
                .filter(rule -> rule.covers(method, path))
                .map(Rule::role)
                .findFirst();
    }
}
