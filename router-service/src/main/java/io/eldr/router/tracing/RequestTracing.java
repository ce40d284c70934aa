package io.eldr.router.tracing;

import io.eldr.service.tracing.TracingProperties;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Traces of requests, where a collector is named. */
@Configuration(proxyBeanMethods = false)
class RequestTracing {
    private static final String INSTRUMENTED = "io.eldr.router";

    @Bean
    RequestTraces requestTraces(TracingProperties properties, ObjectProvider<SdkTracerProvider> provider) {
        return tracer(properties, provider).map(RequestTraces::of).orElseGet(RequestTraces::off);
    }

    @Bean
    TraceFilter traceFilter(TracingProperties properties, ObjectProvider<SdkTracerProvider> provider) {
        return new TraceFilter(tracer(properties, provider));
    }

    private static Optional<Tracer> tracer(TracingProperties properties, ObjectProvider<SdkTracerProvider> provider) {
        return properties.collector().map(collector -> provider.getObject().get(INSTRUMENTED));
    }
}
