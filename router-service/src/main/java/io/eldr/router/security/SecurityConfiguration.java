package io.eldr.router.security;

import static org.springframework.security.config.Customizer.withDefaults;

import io.eldr.service.access.Role;
import io.eldr.service.access.TokenRefusedException;
import io.eldr.service.problem.Problems;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.security.web.server.firewall.StrictServerWebExchangeFirewall;
import org.springframework.security.web.server.header.ReferrerPolicyServerHttpHeadersWriter.ReferrerPolicy;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Denies by default: a path that is not named here is refused. Open are the health paths, the static page (its data
 * calls carry a token) and the health and metrics of the management port.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class SecurityConfiguration {

    /** The page loads its own script and style and calls its own origin, and nothing else. */
    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String[] PAGE = {
        "/", "/index.html", "/comparison.js", "/status.js", "/status.css", "/favicon.svg"
    };

    @Bean
    SecurityWebFilterChain whoMayCallWhat(ServerHttpSecurity http) {
        return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .headers(headers -> headers.contentSecurityPolicy(
                                policy -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicy.NO_REFERRER)))
                .authorizeExchange(exchanges -> exchanges
                        .matchers(EndpointRequest.to("health", "prometheus"))
                        .permitAll()
                        .pathMatchers(HttpMethod.GET, "/livez", "/readyz")
                        .permitAll()
                        .pathMatchers(HttpMethod.GET, PAGE)
                        .permitAll()
                        .pathMatchers(
                                HttpMethod.POST,
                                "/v1/route",
                                "/v1/reservations/*/close",
                                "/v1/reservations/*/renew",
                                "/v1/reservations/*/reassign")
                        .hasRole(Role.CLIENT.name())
                        .pathMatchers(HttpMethod.DELETE, "/v1/reservations/*")
                        .hasRole(Role.CLIENT.name())
                        .pathMatchers(HttpMethod.PUT, "/v1/pools/*/clients/*")
                        .hasRole(Role.CLIENT.name())
                        .pathMatchers(HttpMethod.GET, "/v1/**")
                        .hasRole(Role.VIEWER.name())
                        // Nothing is here: whoever may do everything is told so, others learn nothing.
                        .anyExchange()
                        .hasRole(Role.ADMIN.name()))
                .oauth2ResourceServer(server -> server.opaqueToken(withDefaults())
                        .authenticationEntryPoint((exchange, refusal) -> unauthorized(exchange, refusal))
                        .accessDeniedHandler((exchange, refusal) -> forbidden(exchange)))
                .exceptionHandling(handling -> handling.authenticationEntryPoint(
                                (exchange, refusal) -> unauthorized(exchange, refusal))
                        .accessDeniedHandler((exchange, refusal) -> forbidden(exchange)))
                .build();
    }

    /** Names of requests may hold any character; paths are matched by segment before they are decoded. */
    @Bean
    ServerWebExchangeFirewall firewall() {
        StrictServerWebExchangeFirewall firewall = new StrictServerWebExchangeFirewall();
        firewall.setAllowUrlEncodedSlash(true);
        firewall.setAllowUrlEncodedDoubleSlash(true);
        firewall.setAllowUrlEncodedPercent(true);
        firewall.setAllowUrlEncodedPeriod(true);
        return firewall;
    }

    private static Mono<Void> unauthorized(ServerWebExchange exchange, AuthenticationException refusal) {
        ErrorResponseException answer = TokenRefusedException.answer(refusal);
        exchange.getResponse().getHeaders().putAll(answer.getHeaders());
        return write(exchange.getResponse(), answer.getStatusCode(), answer.getBody());
    }

    private static Mono<Void> forbidden(ServerWebExchange exchange) {
        return write(exchange.getResponse(), HttpStatus.FORBIDDEN, Problems.forbidden());
    }

    private static Mono<Void> write(ServerHttpResponse response, HttpStatusCode status, ProblemDetail problem) {
        byte[] body = Problems.toJson(problem);
        response.setStatusCode(status);
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
