package io.eldr.calibration.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls a service over HTTP as one of its callers. */
public final class ApiClient {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30)).build();
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final int port;
    private final String token;

    public ApiClient(int port, TestToken token) {
        this(port, token.raw());
    }

    public ApiClient(int port, String token) {
        this.port = port;
        this.token = token;
    }

    /** An answer with what tests look at. */
    public record Answer(HttpResponse<byte[]> response) {
        public int status() {
            return response.statusCode();
        }

        public JsonNode json() {
            return JSON.readTree(response.body());
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public Answer expect(int status) {
            assertThat(status())
                    .as(
                            "%s %s: %s",
                            response.request().method(),
                            response.uri(),
                            new String(response.body(), StandardCharsets.UTF_8))
                    .isEqualTo(status);
            return this;
        }

        /** Checks that this is a problem of a type, such as {@code conflict}. */
        public Answer expectProblem(int status, String slug) {
            expect(status);
            assertThat(header("content-type")).startsWith("application/problem+json");
            assertThat(json().path("type").asString()).isEqualTo("https://eldr.io/problems/" + slug);
            assertThat(json().path("status").asInt()).isEqualTo(status);
            return this;
        }

        public Answer expectInvalid(String field) {
            expectProblem(400, "invalid-input");
            assertThat(json().path("field").asString("")).as(json().toString()).isEqualTo(field);
            return this;
        }
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer post(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    public Answer put(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(json)));
    }

    public Answer patch(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method("PATCH", BodyPublishers.ofString(json)));
    }

    public Answer delete(String path) {
        return send(request(path).DELETE());
    }

    public Answer postSamples(String pool, String lines) {
        return post("/v1/pools/" + pool + "/samples", "application/x-ndjson", BodyPublishers.ofString(lines));
    }

    public Answer post(String path, String contentType, BodyPublisher body) {
        return send(request(path).header("Content-Type", contentType).POST(body));
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token);
    }

    public static Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(HTTP.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The events of a refit, until their stream ends. */
    public EventStream events(String location) {
        return EventStream.open(HTTP, request(location + "/events").header("Accept", "text/event-stream"));
    }

    /** Asks for a refit and waits for its end. */
    public JsonNode refit(String pool, String options) {
        String location =
                post("/v1/pools/" + pool + "/refits", options).expect(202).header("Location");
        return refitAt(location);
    }

    /** Waits for the end of a refit. */
    public JsonNode refitAt(String location) {
        return Awaitility.await("the end of " + location)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> get(location).expect(200).json(), run -> run.hasNonNull("finishedAt"));
    }
}
