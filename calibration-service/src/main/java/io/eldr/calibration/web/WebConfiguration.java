package io.eldr.calibration.web;

import io.eldr.calibration.schema.RegistryGate;
import io.eldr.service.access.Caller;
import io.swagger.v3.oas.models.media.ObjectSchema;
import java.util.List;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.JsonNode;

@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {
    private static final String DESCRIPTION = "/v1/openapi.json";

    private final RegistryGate gate;

    WebConfiguration(RegistryGate gate) {
        this.gate = gate;
        SpringDocUtils.getConfig()
                .addRequestWrapperToIgnore(Caller.class)
                .replaceWithSchema(JsonNode.class, new ObjectSchema());
    }

    @Override
    public void addInterceptors(InterceptorRegistry interceptors) {
        interceptors.addInterceptor(gate).addPathPatterns("/v1/**").excludePathPatterns(DESCRIPTION);
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new CallerResolver());
    }
}
