package io.eldr.launcher.client;

import io.eldr.launcher.console.CommandFailedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Calls one service over HTTP with a bearer token. */
public final class EldrClient {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http;
    private final JsonMapper json;
    private final URI base;
    private final String token;

    /** @param base the service's address, with or without a trailing slash; a path in it is kept */
    public EldrClient(HttpClient http, JsonMapper json, URI base, String token) {
        this.http = http;
        this.json = json;
        this.base = URI.create(base.toString().replaceAll("/+$", ""));
        this.token = token;
    }

    /** @throws ApiException if the service answers anything but 2xx */
    public JsonNode get(String path) {
        return call("GET", path, HttpRequest.BodyPublishers.noBody(), Optional.empty());
    }

    /** What is at a path, or nothing if the service answers 404. */
    public Optional<JsonNode> find(String path) {
        try {
            return Optional.of(get(path));
        } catch (ApiException e) {
            if (e.status() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    public JsonNode post(String path, JsonNode body) {
        return call("POST", path, body(body), Optional.of("application/json"));
    }

    public JsonNode put(String path, JsonNode body) {
        return call("PUT", path, body(body), Optional.of("application/json"));
    }

    public JsonNode post(String path, byte[] body, String contentType) {
        return call("POST", path, HttpRequest.BodyPublishers.ofByteArray(body), Optional.of(contentType));
    }

    public void delete(String path) {
        call("DELETE", path, HttpRequest.BodyPublishers.noBody(), Optional.empty());
    }

    /** What is at a path, as it is. */
    public byte[] bytes(String path) {
        HttpResponse<byte[]> response = send(
                request("GET", path, HttpRequest.BodyPublishers.noBody()).build(),
                HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() / 100 != 2) {
            throw refused("GET", path, response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
        }
        return response.body();
    }

    /** {@code name=value&..} of the parameters, encoded. */
    public static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    /** Encodes one segment of a path, or a name or value of a query. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpRequest.BodyPublisher body(JsonNode body) {
        return HttpRequest.BodyPublishers.ofString(body.toString());
    }

    private JsonNode call(String method, String path, HttpRequest.BodyPublisher body, Optional<String> contentType) {
        HttpRequest.Builder request = request(method, path, body).header("Accept", "application/json");
        contentType.ifPresent(type -> request.header("Content-Type", type));
        HttpResponse<String> response = send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw refused(method, path, response.statusCode(), response.body());
        }
        return response.body().isBlank() ? MissingNode.getInstance() : parse(response.body());
    }

    private HttpRequest.Builder request(String method, String path, HttpRequest.BodyPublisher body) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .method(method, body);
    }

    private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (ConnectException e) {
            throw new CommandFailedException("Nothing answers at " + base + "; is it running?", e);
        } catch (IOException e) {
            throw new CommandFailedException("The call to " + request.uri() + " broke off: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted", e);
        }
    }

    private JsonNode parse(String body) {
        try {
            return json.readTree(body);
        } catch (JacksonException e) {
            throw new CommandFailedException(base + " answers with something that is not JSON; is it ELDR?", e);
        }
    }

    private ApiException refused(String method, String path, int status, String body) {
        return new ApiException(status, method + " " + base + path + ": " + status + " " + detail(body));
    }

    /** The detail of the problem, or the plain body if it is none. */
    private String detail(String body) {
        try {
            JsonNode detail = json.readTree(body).path("detail");
            return detail.isString() ? detail.asString() : body;
        } catch (JacksonException e) {
            return body;
        }
    }
}
