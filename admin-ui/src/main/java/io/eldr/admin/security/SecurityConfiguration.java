package io.eldr.admin.security;

import io.eldr.service.access.Role;
import jakarta.servlet.DispatcherType;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter.CrossOriginOpenerPolicy;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/**
 * Below {@code /api} nothing answers without a session but the session itself; what is passed on asks for its own role.
 * The rest is the page, which holds no data. Each call but GET needs the CSRF token.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class SecurityConfiguration {
    /** Scripts and styles are files of ours; nothing is loaded from elsewhere and nobody may frame the page. */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'self';"
            + " form-action 'self'; frame-ancestors 'none'";

    private static final String PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

    /** The cookie and the answer of {@code api/session} carry the token; no script needs to read the cookie. */
    @Bean
    CsrfTokenRepository csrfTokens() {
        return new CookieCsrfTokenRepository();
    }

    @Bean
    SecurityFilterChain whoMayCallWhat(
            HttpSecurity http,
            CsrfTokenRepository csrfTokens,
            SessionRules sessions,
            ObjectProvider<ClientRegistrationRepository> providers,
            OidcSignIn oidc) {
        http.csrf(csrf -> csrf.csrfTokenRepository(csrfTokens))
                .httpBasic(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .headers(SecurityConfiguration::headers)
                .addFilterAfter(new SessionFilter(sessions), SecurityContextHolderFilter.class)
                .authorizeHttpRequests(requests -> requests
                        // The body of a refusal that was made already, and the end of a stream that was let in.
                        .dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC)
                        .permitAll()
                        .requestMatchers(EndpointRequest.to("health", "prometheus"))
                        .permitAll()
                        .requestMatchers("/api/session")
                        .permitAll()
                        .requestMatchers("/api/**")
                        .hasRole(Role.VIEWER.name())
                        .requestMatchers(HttpMethod.GET, "/**")
                        .permitAll()
                        .anyRequest()
                        .denyAll())
                .exceptionHandling(handling -> handling.authenticationEntryPoint(
                                (request, response, refusal) -> ProblemWriter.unauthorized(response))
                        .accessDeniedHandler((request, response, refusal) -> ProblemWriter.forbidden(
                                response,
                                "Your role is not enough for this, or the call lacks the CSRF token of your session:"
                                        + " load the page anew and try again.")));
        providers.ifAvailable(repository -> http.addFilterAfter(new NextPage(), SecurityContextHolderFilter.class)
                .oauth2Login(login -> login.loginPage("/").successHandler(oidc).failureHandler(oidc)));
        return http.build();
    }

    private static void headers(HeadersConfigurer<HttpSecurity> headers) {
        headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
                .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN))
                .permissionsPolicyHeader(policy -> policy.policy(PERMISSIONS_POLICY))
                .crossOriginOpenerPolicy(policy -> policy.policy(CrossOriginOpenerPolicy.SAME_ORIGIN))
                .crossOriginResourcePolicy(policy -> policy.policy(CrossOriginResourcePolicy.SAME_ORIGIN))
                .frameOptions(HeadersConfigurer.FrameOptionsConfig::deny)
                .contentTypeOptions(Customizer.withDefaults());
    }
}
