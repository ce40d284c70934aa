package io.eldr.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.eldr.admin.testing.Browser;
import io.eldr.admin.testing.TestAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

class OpenApiTest {
    /** Run with {@code -Deldr.openapi.write=true} to write the committed description anew. */
    private static final boolean WRITE = Boolean.getBoolean("eldr.openapi.write");

    private static final Path COMMITTED = Path.of("..", "docs", "openapi", "admin.json");

    @Test
    void describesTheApiAsCommitted() throws IOException {
        Browser viewer = TestAdmin.shared().browserOf("viewer");
        JsonNode description = viewer.get("/api/openapi.json").expect(200).json();
        String text = JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(description)
                        .replace("\r\n", "\n")
                + "\n";
        if (WRITE) {
            Files.createDirectories(COMMITTED.getParent());
            Files.writeString(COMMITTED, text);
        }
        assertThat(Files.readString(COMMITTED))
                .as("the API changed: look at the difference, then run with -Deldr.openapi.write=true")
                .isEqualTo(text);
    }
}
