package io.eldr.router.tracing;

import io.eldr.service.tracing.ConditionalOnTracing;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Traces of requests, where a collector is named. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnTracing
class RequestTracing {

    @Bean
    TraceFilter traceFilter(SdkTracerProvider provider) {
        return new TraceFilter(provider.get("io.eldr.router"));
    }
}
