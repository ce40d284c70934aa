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
import org.springframework.context.annotation.Lazy;

/**
 * Traces where a collector is named. Whoever opens spans asks first whether one is ({@link TracingProperties#collector}); what
 * nobody asks for is not made. No condition decides here: what is started by beans laid out at build time must see at run time
 * whether there is a collector.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TracingProperties.class)
public class TracingConfiguration {

    @Bean(destroyMethod = "")
    @Lazy
    SpanExporter spanExporter(TracingProperties properties) {
        return OtlpHttpSpanExporter.builder()
                .setEndpoint(properties.collector().orElseThrow().toString())
                .build();
    }

    /** Ends its exporter with itself, once that has sent what is left. */
    @Bean(destroyMethod = "close")
    @Lazy
    SdkTracerProvider tracerProvider(
            TracingProperties properties, SpanExporter exporter, @Value("${spring.application.name}") String service) {
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
