package io.eldr.admin.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a browser does below the page: keeps cookies, sends the CSRF token. */
public final class Browser {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CookieManager cookies = new CookieManager();
    private final HttpClient http;
    private final URI base;
    private volatile String csrfHeader = "";
    private volatile String csrfToken = "";

    Browser(URI base) {
        this.base = base;
        this.http = HttpClient.newBuilder()
                .cookieHandler(cookies)
                .connectTimeout(Duration.ofSeconds(30))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    /** An answer with what tests look at. */
    public record Answer(HttpResponse<byte[]> response) {
        public int status() {
            return response.statusCode();
        }

        public String text() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        public JsonNode json() {
            return JSON.readTree(response.body());
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public Answer expect(int status) {
            assertThat(status())
                    .as("%s %s: %s", response.request().method(), response.uri(), text())
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
    }

    /** Reads the session and with it the CSRF token. */
    public JsonNode session() {
        return take(get("/api/session").expect(200));
    }

    /** Logs in and checks that it worked. */
    public Browser logIn(String user, String password) {
        begin(user, password);
        return this;
    }

    /** The same, with the session that begins. */
    public JsonNode begin(String user, String password) {
        session();
        return take(tryLogIn(user, password).expect(200));
    }

    public Answer tryLogIn(String user, String password) {
        return post("/api/session", JSON.writeValueAsString(new Login(user, password)));
    }

    private record Login(String username, String password) {}

    private JsonNode take(Answer answer) {
        JsonNode session = answer.json();
        csrfHeader = session.path("csrf").path("header").asString();
        csrfToken = session.path("csrf").path("token").asString();
        return session;
    }

    public Browser withoutCsrf() {
        csrfHeader = "";
        return this;
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer post(String path, String json) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    public Answer call(String method, String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json)));
    }

    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(PATIENCE);
        return csrfHeader.isEmpty() ? request : request.header(csrfHeader, csrfToken);
    }

    /** A request to somewhere else, as when a redirect is followed. */
    public HttpRequest.Builder to(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(PATIENCE);
    }

    public Answer send(HttpRequest.Builder request) {
        return new Answer(exchange(request, BodyHandlers.ofByteArray()));
    }

    /** Opens a stream of server-sent events. */
    public HttpResponse<InputStream> open(String path) {
        return exchange(request(path).header("Accept", "text/event-stream").GET(), BodyHandlers.ofInputStream());
    }

    private <T> HttpResponse<T> exchange(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
        try {
            return http.send(request.build(), handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What the browser keeps. */
    public CookieManager cookies() {
        return cookies;
    }
}
