package io.eldr.router.testing;

import io.eldr.router.RouterApplication;
import io.eldr.service.access.TokenDigest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A whole router on free ports, and a client of it. */
public final class TestRouter implements AutoCloseable {

    public static final String CLIENT = "client-token";
    public static final String VIEWER = "viewer-token";
    public static final String OPERATOR = "operator-token";

    /** A Postgres that is not there. */
    public static final Map<String, String> NO_DATABASE = Map.of(
            "spring.datasource.url", "jdbc:postgresql://127.0.0.1:1/none",
            "spring.datasource.username", "nobody",
            "spring.datasource.password", "");

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final ConfigurableApplicationContext context;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private TestRouter(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static TestRouter start(Map<String, String> database, String... properties) {
        return start(InstantSource.system(), database, properties);
    }

    public static TestRouter start(InstantSource clock, Map<String, String> database, String... properties) {
        SpringApplication application = new SpringApplication(RouterApplication.class);
        application.addInitializers(context -> {
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean("testClock", InstantSource.class, () -> clock, bean -> bean.setPrimary(true));
            // Event loops of its own: those of the JVM would end with the first router that ends.
            beans.registerBean(ReactorResourceFactory.class, TestRouter::ownResources);
        });
        List<String> arguments = new ArrayList<>(List.of(
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--management.server.address=127.0.0.1",
                "--management.server.port=0",
                "--spring.datasource.hikari.connection-timeout=1000"));
        addToken(arguments, 0, "client", CLIENT);
        addToken(arguments, 1, "viewer", VIEWER);
        addToken(arguments, 2, "operator", OPERATOR);
        database.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        if (Arrays.stream(properties).noneMatch(property -> property.startsWith("eldr.router.poll-interval"))) {
            arguments.add("--eldr.router.poll-interval=300ms");
        }
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new TestRouter(application.run(arguments.toArray(String[]::new)));
    }

    private static ReactorResourceFactory ownResources() {
        ReactorResourceFactory resources = new ReactorResourceFactory();
        resources.setUseGlobalResources(false);
        resources.setShutdownQuietPeriod(Duration.ZERO);
        return resources;
    }

    private static void addToken(List<String> arguments, int index, String role, String token) {
        String prefix = "--eldr.access.tokens[" + index + "].";
        arguments.add(prefix + "name=" + role);
        arguments.add(prefix + "role=" + role);
        arguments.add(prefix + "sha256=" + TokenDigest.of(token).hex());
    }

    /** An answer with its body, read as JSON where it is some. */
    public record Answer(int status, JsonNode json, String text, HttpResponse<String> response) {
        public String field() {
            return json.path("field").asString("");
        }
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public int port() {
        return port("local.server.port");
    }

    public int managementPort() {
        return port("local.management.port");
    }

    private int port(String property) {
        return context.getEnvironment().getRequiredProperty(property, Integer.class);
    }

    public Answer get(String path) {
        return send(request(path, Optional.of(OPERATOR)).GET());
    }

    public Answer post(String path, String json) {
        return send(request(path, Optional.of(CLIENT))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    public Answer post(String path, Map<String, ?> body) {
        return post(path, MAPPER.writeValueAsString(body));
    }

    public Answer postRaw(String pathAndQuery, byte[] body) {
        return send(request(pathAndQuery, Optional.of(CLIENT))
                .header("Content-Type", "application/octet-stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    public Answer delete(String path) {
        return send(request(path, Optional.of(CLIENT)).DELETE());
    }

    public HttpRequest.Builder request(String path, Optional<String> token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(20));
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

    /** A minimal body for a decision; entries are added or replaced. */
    public static Map<String, Object> body(String pool, String requestId, Object... more) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("pool", pool);
        body.put("requestId", requestId);
        body.put("promptTokens", 10);
        for (int i = 0; i < more.length; i += 2) {
            body.put((String) more[i], more[i + 1]);
        }
        return body;
    }

    @Override
    public void close() {
        http.close();
        context.close();
    }
}
