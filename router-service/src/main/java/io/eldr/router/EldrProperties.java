package io.eldr.router;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The sections of configuration this service knows below {@code eldr}. A property outside them stops the start by name;
 * inside them, each section's own record does the same.
 *
 * @param supervised whether the service stops when its standard input ends
 * @param access see {@link io.eldr.service.access.AccessProperties}
 * @param router see {@link RouterProperties}
 * @param gateway see {@code io.eldr.router.gateway.GatewayProperties}
 * @param tracing see {@link io.eldr.service.tracing.TracingProperties}
 */
@ConfigurationProperties(value = "eldr", ignoreUnknownFields = false)
record EldrProperties(
        @DefaultValue("false") boolean supervised,
        @DefaultValue Map<String, Object> access,
        @DefaultValue Map<String, Object> router,
        @DefaultValue Map<String, Object> gateway,
        @DefaultValue Map<String, Object> tracing) {}
