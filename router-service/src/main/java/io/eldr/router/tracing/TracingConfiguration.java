package io.eldr.router.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Traces where a collector is named; otherwise none of this exists, and no request does anything for it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TracingProperties.class)
class TracingConfiguration {
    private static final String INSTRUMENTED = "io.eldr.router";

    @Bean
    RequestTraces requestTraces(ObjectProvider<SdkTracerProvider> provider) {
        return provider.stream()
                .findFirst()
                .map(traced -> RequestTraces.of(traced.get(INSTRUMENTED)))
                .orElseGet(RequestTraces::off);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("eldr.tracing.otlp-endpoint")
    static class On {

        @Bean(destroyMethod = "close")
        SdkTracerProvider tracerProvider(
                TracingProperties properties,
                @Value("${spring.application.name}") String service,
                @Value("${eldr.router.instance-id:}") String instance) {
            return SdkTracerProvider.builder()
                    .setResource(Resource.getDefault()
                            .merge(Resource.create(Attributes.of(
                                    AttributeKey.stringKey("service.name"), service,
                                    AttributeKey.stringKey("service.instance.id"), instance))))
                    .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(properties.sample())))
                    .addSpanProcessor(BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder()
                                    .setEndpoint(
                                            properties.collector().orElseThrow().toString())
                                    .build())
                            .build())
                    .build();
        }

        @Bean
        TraceFilter traceFilter(SdkTracerProvider provider) {
            return new TraceFilter(provider.get(INSTRUMENTED));
        }
    }
}
