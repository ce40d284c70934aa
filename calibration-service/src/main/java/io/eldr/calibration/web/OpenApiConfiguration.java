package io.eldr.calibration.web;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The description of the API: tokens, problems and the rest that no single endpoint says. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {
    private static final String BEARER = "bearer";
    private static final String PROBLEM = "Problem";

    @Bean
    OpenAPI description() {
        return new OpenAPI()
                .info(new Info()
                        .title("ELDR calibration service")
                        .version("v1")
                        .description("Pools, workers, samples, refits, artifact versions and their activations."))
                .servers(List.of(new Server().url("/")))
                .addSecurityItem(new SecurityRequirement().addList(BEARER))
                .components(new Components()
                        .addSecuritySchemes(
                                BEARER,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")));
    }

    /** Every operation may end with a problem. */
    @Bean
    OpenApiCustomizer problems() {
        return api -> {
            api.getComponents().addSchemas(PROBLEM, problem());
            ApiResponse response = new ApiResponse()
                    .description("A problem (RFC 9457)")
                    .content(new Content()
                            .addMediaType(
                                    org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                                    new MediaType().schema(new Schema<>().$ref(PROBLEM))));
            api.getPaths().values().stream()
                    .flatMap(path -> path.readOperations().stream())
                    .forEach(operation -> operation.getResponses().addApiResponse("default", response));
        };
    }

    private static Schema<?> problem() {
        return new ObjectSchema()
                .addProperty("type", new StringSchema().format("uri").description("Never changes its meaning"))
                .addProperty("title", new StringSchema())
                .addProperty("status", new Schema<Integer>().type("integer"))
                .addProperty("detail", new StringSchema())
                .addProperty("instance", new StringSchema().format("uri"))
                .addProperty("field", new StringSchema().description("The field at fault, where one is"));
    }
}
