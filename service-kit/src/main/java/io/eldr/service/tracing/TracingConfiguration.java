package io.eldr.service.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Traces where a collector is named; otherwise none of this exists, and nothing is done for it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TracingProperties.class)
public class TracingConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnTracing
    static class On {

        @Bean(destroyMethod = "")
        SpanExporter spanExporter(TracingProperties properties) {
            return OtlpHttpSpanExporter.builder()
                    .setEndpoint(properties.collector().orElseThrow().toString())
                    .build();
        }

        /** Ends its exporter with itself, once that has sent what is left. */
        @Bean(destroyMethod = "close")
        SdkTracerProvider tracerProvider(
                TracingProperties properties,
                SpanExporter exporter,
                @Value("${spring.application.name}") String service) {
            return SdkTracerProvider.builder()
                    .setResource(Resource.getDefault().merge(Resource.create(identity(service, properties))))
                    .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(properties.sample())))
                    .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                    .build();
        }

        private static Attributes identity(String service, TracingProperties properties) {
            AttributesBuilder identity = Attributes.builder().put(AttributeKey.stringKey("service.name"), service);
            if (!properties.instanceId().isBlank()) {
                identity.put(AttributeKey.stringKey("service.instance.id"), properties.instanceId());
            }
            return identity.build();
        }
    }
}
