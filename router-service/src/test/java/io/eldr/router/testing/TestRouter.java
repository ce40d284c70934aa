package io.eldr.router.testing;

import io.eldr.router.RouterApplication;
import io.eldr.service.access.TokenDigest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;
import tools.jackson.databind.JsonNode;

/** A whole router on free ports, and a client of it. */
public final class TestRouter extends RouterCalls {

    public static final String CLIENT = "client-token";
    public static final String VIEWER = "viewer-token";
    public static final String OPERATOR = "operator-token";

    /** A Postgres that is not there. */
    public static final Map<String, String> NO_DATABASE = Map.of(
            "spring.datasource.url", "jdbc:postgresql://127.0.0.1:1/none",
            "spring.datasource.username", "nobody",
            "spring.datasource.password", "");

    private final ConfigurableApplicationContext context;

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
        return new TestRouter(application.run(arguments(database, properties).toArray(String[]::new)));
    }

    /** How a router is started for a test; the properties are added, or replace those that a test may choose. */
    static List<String> arguments(Map<String, String> database, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.address=127.0.0.1",
                "--management.server.address=127.0.0.1",
                "--spring.datasource.hikari.connection-timeout=1000"));
        addToken(arguments, 0, "client", CLIENT);
        addToken(arguments, 1, "viewer", VIEWER);
        addToken(arguments, 2, "operator", OPERATOR);
        database.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        addUnlessGiven(arguments, properties, "server.port", "0");
        addUnlessGiven(arguments, properties, "management.server.port", "0");
        addUnlessGiven(arguments, properties, "eldr.router.poll-interval", "300ms");
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return arguments;
    }

    private static void addUnlessGiven(List<String> arguments, String[] properties, String name, String value) {
        if (Arrays.stream(properties).noneMatch(property -> property.startsWith(name + "="))) {
            arguments.add("--" + name + "=" + value);
        }
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

    @Override
    public int port() {
        return port("local.server.port");
    }

    public int managementPort() {
        return port("local.management.port");
    }

    private int port(String property) {
        return context.getEnvironment().getRequiredProperty(property, Integer.class);
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
        super.close();
        context.close();
    }
}
