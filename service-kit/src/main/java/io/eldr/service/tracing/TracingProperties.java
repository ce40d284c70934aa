package io.eldr.service.tracing;

import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where traces go ({@code eldr.tracing}).
 *
 * @param otlpEndpoint where a collector takes spans by OTLP over HTTP, such as {@code http://collector:4318/v1/traces};
 *     nothing is traced where it is not set
 * @param sample the share of what begins here that is traced, 0 to 1; whoever calls with a trace decides for it
 * @param instanceId names this process among those of its service; not told where it is empty
 */
@ConfigurationProperties(value = "eldr.tracing", ignoreUnknownFields = false)
public record TracingProperties(
        @Nullable URI otlpEndpoint,
        @DefaultValue("1.0") double sample,
        @DefaultValue("") String instanceId) {
    public TracingProperties {
        if (otlpEndpoint != null
                && !("http".equals(otlpEndpoint.getScheme()) || "https".equals(otlpEndpoint.getScheme()))) {
            throw new IllegalArgumentException("eldr.tracing.otlp-endpoint must be an http or https URL");
        }
        if (!(sample >= 0 && sample <= 1)) {
            throw new IllegalArgumentException("eldr.tracing.sample must be between 0 and 1 but is " + sample);
        }
    }

    /** Where spans go; empty where nothing is traced. */
    public Optional<URI> collector() {
        return Optional.ofNullable(otlpEndpoint);
    }
}
