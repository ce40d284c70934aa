package io.eldr.admin;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The sections of configuration this service knows below {@code eldr}. A property outside them stops the start by name;
 * inside them, each section's own record does the same.
 *
 * @param supervised whether the service stops when its standard input ends
 * @param admin see {@link AdminProperties}
 */
@ConfigurationProperties(value = "eldr", ignoreUnknownFields = false)
record EldrProperties(
        @DefaultValue("false") boolean supervised,
        @DefaultValue Map<String, Object> admin) {}
