package io.eldr.router.testing;

import io.eldr.router.testing.TestRouter.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of a router. */
public abstract class RouterCalls implements AutoCloseable {

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(60))
            .build();

    public abstract int port();

    public Answer get(String path) {
        return send(request(path, Optional.of(TestRouter.OPERATOR)).GET());
    }

    public Answer post(String path, String json) {
        return send(request(path, Optional.of(TestRouter.CLIENT))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    public Answer post(String path, Map<String, ?> body) {
        return post(path, MAPPER.writeValueAsString(body));
    }

    /** Without a body, and so without a type of one. */
    public Answer post(String path) {
        return send(request(path, Optional.of(TestRouter.CLIENT)).POST(HttpRequest.BodyPublishers.noBody()));
    }

    public Answer postRaw(String pathAndQuery, byte[] body) {
        return send(request(pathAndQuery, Optional.of(TestRouter.CLIENT))
                .header("Content-Type", "application/octet-stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    public Answer delete(String path) {
        return send(request(path, Optional.of(TestRouter.CLIENT)).DELETE());
    }

    public HttpRequest.Builder request(String path, Optional<String> token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(60));
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return request;
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            boolean isJson = response.headers()
                    .firstValue("Content-Type")
                    .filter(type -> type.contains("json"))
                    .isPresent();
            JsonNode json = isJson ? MAPPER.readTree(response.body()) : MAPPER.nullNode();
            return new Answer(response.statusCode(), json, response.body(), response);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
