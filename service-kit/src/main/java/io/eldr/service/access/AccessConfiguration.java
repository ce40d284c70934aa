package io.eldr.service.access;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.introspection.ReactiveOpaqueTokenIntrospector;

/**
 * Who holds which token, and the introspector for the stack the service runs on. A service imports it and says in its
 * own filter chain which path needs which role.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AccessProperties.class)
public class AccessConfiguration {

    @Bean
    AccessTokens accessTokens(AccessProperties properties) {
        return new AccessTokens(properties);
    }

    @Bean
    Callers callers(AccessTokens tokens, AccessProperties properties) {
        return new Callers(tokens, properties.oidc());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Servlet {

        @Bean
        OpaqueTokenIntrospector callerIntrospector(Callers callers) {
            return new CallerIntrospector(callers);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class Reactive {

        @Bean
        ReactiveOpaqueTokenIntrospector callerIntrospector(Callers callers) {
            return new ReactiveCallerIntrospector(callers);
        }
    }
}
