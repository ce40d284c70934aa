package io.eldr.admin.web;

import io.eldr.admin.security.AdminUser;
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
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The description of the API that the page uses. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {
    private static final String SESSION = "session";
    private static final String PROBLEM = "Problem";

    OpenApiConfiguration() {
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(AdminUser.class);
    }

    @Bean
    OpenAPI description() {
        return new OpenAPI()
                .info(new Info()
                        .title("ELDR dashboard")
                        .version("v1")
                        .description(
                                "What the dashboard's page calls. Below /api/calibration and /api/routers/{instance}"
                                        + " the services' own APIs are passed on, as far as the user's role allows."))
                .servers(List.of(new Server().url("/")))
                .addSecurityItem(new SecurityRequirement().addList(SESSION))
                .components(new Components()
                        .addSecuritySchemes(
                                SESSION,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.APIKEY)
                                        .in(SecurityScheme.In.COOKIE)
                                        .name("ELDR_SESSION")));
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
