package io.eldr.calibration.tracing;

import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Traces of calls, where a collector is named. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("eldr.tracing.otlp-endpoint")
class CallTraces {

    /** Before all others, so that what they take is in the span. */
    @Bean
    FilterRegistrationBean<TraceFilter> traceFilter(SdkTracerProvider provider) {
        FilterRegistrationBean<TraceFilter> registration =
                new FilterRegistrationBean<>(new TraceFilter(provider.get("io.eldr.calibration")));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 10);
        return registration;
    }
}
