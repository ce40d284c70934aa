package io.eldr.calibration.security;

import io.eldr.service.access.Role;
import io.eldr.service.access.TokenRefusedException;
import io.eldr.service.problem.Problems;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.ErrorResponseException;

/**
 * Denies by default: a path that is not named here answers nobody. Open are the health paths and the health and metrics of
 * the management port. What {@code force}, a refit by hand, or a pool's settings need on top is asked where
 * the body is known.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class SecurityConfiguration {
    private static final String POOL = "/v1/pools/{pool}";

    @Bean
    SecurityFilterChain whoMayCallWhat(HttpSecurity http) {
        return http.csrf(AbstractHttpConfigurer::disable)
                .httpBasic(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .anonymous(AbstractHttpConfigurer::disable)
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .authorizeHttpRequests(requests -> requests
                        // The body of a refusal that was made already, and the end of a stream that was let in.
                        .dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC)
                        .permitAll()
                        .requestMatchers(EndpointRequest.to("health", "prometheus"))
                        .permitAll()
                        .requestMatchers(HttpMethod.GET, "/livez", "/readyz")
                        .permitAll()
                        .requestMatchers(HttpMethod.GET, "/v1/**")
                        .hasRole(Role.VIEWER.name())
                        .requestMatchers(HttpMethod.POST, POOL + "/samples", POOL + "/observations")
                        .hasRole(Role.CLIENT.name())
                        // Routers ask for refits when decoders change; who may ask for which is asked with the body.
                        .requestMatchers(HttpMethod.POST, POOL + "/refits")
                        .hasRole(Role.CLIENT.name())
                        .requestMatchers(HttpMethod.POST, "/v1/pools")
                        .hasRole(Role.ADMIN.name())
                        .requestMatchers(HttpMethod.DELETE, POOL)
                        .hasRole(Role.ADMIN.name())
                        .requestMatchers("/v1/**")
                        .hasRole(Role.OPERATOR.name())
                        .anyRequest()
                        .denyAll())
                .addFilterAfter(new ActingUserFilter(), BearerTokenAuthenticationFilter.class)
                .oauth2ResourceServer(server -> server.opaqueToken(Customizer.withDefaults())
                        .authenticationEntryPoint((request, response, refusal) -> unauthorized(response, refusal))
                        .accessDeniedHandler((request, response, refusal) -> forbidden(response)))
                .exceptionHandling(handling -> handling.authenticationEntryPoint(
                                (request, response, refusal) -> unauthorized(response, refusal))
                        .accessDeniedHandler((request, response, refusal) -> forbidden(response)))
                .build();
    }

    private static void unauthorized(HttpServletResponse response, AuthenticationException refusal) throws IOException {
        ErrorResponseException answer = TokenRefusedException.answer(refusal);
        answer.getHeaders().forEach((name, values) -> values.forEach(value -> response.setHeader(name, value)));
        write(response, answer.getBody());
    }

    private static void forbidden(HttpServletResponse response) throws IOException {
        write(response, Problems.forbidden());
    }

    static void write(HttpServletResponse response, ProblemDetail problem) throws IOException {
        byte[] body = Problems.toJson(problem);
        response.setStatus(problem.getStatus());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
