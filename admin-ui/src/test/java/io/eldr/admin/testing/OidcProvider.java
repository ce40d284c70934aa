package io.eldr.admin.testing;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.OidcScopes;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.csrf.CsrfFilter;

/** A real OIDC provider on a free port. Its users say who they are by HTTP Basic, so that no form stands in the way. */
public final class OidcProvider implements AutoCloseable {
    public static final String CLIENT = "eldr";
    public static final String SECRET = "secret-of-the-dashboard";

    private final ConfigurableApplicationContext context;

    private OidcProvider(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static OidcProvider start() {
        return new OidcProvider(new SpringApplicationBuilder(Provider.class)
                .registerShutdownHook(false)
                .run(
                        "--spring.config.location=optional:classpath:/none/",
                        "--spring.main.banner-mode=off",
                        "--server.address=127.0.0.1",
                        "--server.port=0"));
    }

    public URI issuer() {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    /** Lets a dashboard use this provider. */
    public void register(URI redirect) {
        context.getBean(InMemoryRegisteredClientRepository.class)
                .save(client("dashboard-" + UUID.randomUUID(), CLIENT, SECRET, redirect.toString()));
    }

    private static RegisteredClient client(String id, String name, String secret, String redirect) {
        return RegisteredClient.withId(id)
                .clientId(name)
                .clientSecret("{noop}" + secret)
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri(redirect)
                .scope(OidcScopes.OPENID)
                .clientSettings(ClientSettings.builder()
                        .requireAuthorizationConsent(false)
                        .build())
                .build();
    }

    @Override
    public void close() {
        context.close();
    }

    /** Says who asks for a code before the protocol looks at the request; clients that ask for tokens are no people. */
    private static final class BasicOfPeople extends BasicAuthenticationFilter {
        BasicOfPeople(UserDetailsService people) {
            super(new ProviderManager(new DaoAuthenticationProvider(people)));
        }

        @Override
        protected boolean shouldNotFilter(HttpServletRequest request) {
            return !request.getRequestURI().equals("/oauth2/authorize");
        }
    }

    /** No part of the dashboard, whose packages it lies in. */
    @TestConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Provider {
        @Bean
        @Order(1)
        SecurityFilterChain protocol(HttpSecurity http, UserDetailsService people) {
            return http.addFilterBefore(new BasicOfPeople(people), CsrfFilter.class)
                    .oauth2AuthorizationServer(server -> {
                        http.securityMatcher(server.getEndpointsMatcher());
                        server.oidc(Customizer.withDefaults());
                    })
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        @Bean
        UserDetailsService people() {
            return new InMemoryUserDetailsManager(person("grace"), person("linus"), person("eve"));
        }

        private static UserDetails person(String name) {
            return User.withUsername(name)
                    .password("{noop}" + name)
                    .roles("USER")
                    .build();
        }

        @Bean
        InMemoryRegisteredClientRepository clients() {
            return new InMemoryRegisteredClientRepository(
                    client("none", "nobody", "nobody's secret", "http://127.0.0.1:1/none"));
        }

        /** As Keycloak writes them. */
        @Bean
        OAuth2TokenCustomizer<JwtEncodingContext> roles() {
            Map<String, List<String>> roles =
                    Map.of("grace", List.of("offline_access", "eldr-admins"), "linus", List.of("eldr-ops"));
            return token -> {
                if (OidcParameterNames.ID_TOKEN.equals(token.getTokenType().getValue())) {
                    String name = Objects.requireNonNull(token.<Authentication>getPrincipal())
                            .getName();
                    token.getClaims().claim("preferred_username", name + "@example.com");
                    token.getClaims().claim("realm_access", Map.of("roles", roles.getOrDefault(name, List.of())));
                }
            };
        }

        @Bean
        JWKSource<SecurityContext> keys() throws NoSuchAlgorithmException {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            return new ImmutableJWKSet<>(new JWKSet(new RSAKey.Builder((RSAPublicKey) pair.getPublic())
                    .privateKey((RSAPrivateKey) pair.getPrivate())
                    .keyID("test")
                    .build()));
        }
    }
}
