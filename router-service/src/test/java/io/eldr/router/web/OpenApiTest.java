package io.eldr.router.web;

import static io.eldr.router.testing.SharedRouter.ROUTER;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The committed description of the API is the one the router gives; {@code -Deldr.openapi.write=true} rewrites it. */
class OpenApiTest {

    private static final Path COMMITTED = Path.of("..", "docs", "openapi", "router.json");

    @Test
    void theCommittedDescriptionIsTheGeneratedOne() throws IOException {
        JsonNode generated = ROUTER.get("/v1/openapi.json").json();
        assertThat(generated.path("paths").propertyNames())
                .contains(
                        "/v1/route",
                        "/v1/reservations/{id}",
                        "/v1/reservations/{id}/close",
                        "/v1/reservations/{id}/renew",
                        "/v1/reservations/{id}/reassign",
                        "/v1/decisions/{requestId}",
                        "/v1/pools",
                        "/v1/pools/{pool}/decoders",
                        "/v1/pools/{pool}/prefillers",
                        "/v1/pools/{pool}/artifact");
        if (Boolean.getBoolean("eldr.openapi.write")) {
            Files.writeString(
                    COMMITTED,
                    JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(generated) + "\n");
        }
        assertThat(generated)
                .as("run this test with -Deldr.openapi.write=true and commit what it wrote")
                .isEqualTo(JsonMapper.shared().readTree(Files.readString(COMMITTED)));
    }
}
