package io.eldr.router.tracing;

import io.eldr.service.tracing.ConditionalOnTracing;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Traces of requests, where a collector is named. */
@Configuration(proxyBeanMethods = false)
class RequestTracing {
    private static final String INSTRUMENTED = "io.eldr.router";

    @Bean
    RequestTraces requestTraces(ObjectProvider<SdkTracerProvider> provider) {
        return provider.stream()
                .findFirst()
                .map(traced -> RequestTraces.of(traced.get(INSTRUMENTED)))
                .orElseGet(RequestTraces::off);
    }

    @Bean
    @ConditionalOnTracing
    TraceFilter traceFilter(SdkTracerProvider provider) {
        return new TraceFilter(provider.get(INSTRUMENTED));
    }
}
