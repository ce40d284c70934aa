package io.eldr.calibration.testing;

import io.eldr.calibration.CalibrationApplication;
import io.eldr.calibration.schema.RegistryMonitor;
import io.eldr.calibration.schema.RegistryState;
import io.eldr.db.testing.TestDatabase;
import io.eldr.db.testing.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service in this JVM, on free ports of the loopback address. */
public final class TestServer implements AutoCloseable {
    private final ConfigurableApplicationContext context;

    private TestServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** One that the tests share; each works in pools of its own. */
    public static TestServer shared() {
        return Shared.SERVER;
    }

    /** The database of {@link #shared}. */
    public static TestDatabase sharedDatabase() {
        return Shared.DATABASE;
    }

    public static TestServer start(TestDatabase database, String... settings) {
        return start(database.springProperties(), List.of(), settings);
    }

    /** @param replacements configurations whose beans take the place of the service's own */
    public static TestServer start(Map<String, String> database, List<Class<?>> replacements, String... settings) {
        TestServer server = startWithoutWaiting(database, replacements, settings);
        awaitRegistry(server.context);
        return server;
    }

    /** Like {@link #start} for a database that is not there yet. */
    public static TestServer startWithoutWaiting(
            Map<String, String> database, List<Class<?>> replacements, String... settings) {
        List<Class<?>> sources = new ArrayList<>(List.of(CalibrationApplication.class));
        sources.addAll(replacements);
        return new TestServer(new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .registerShutdownHook(false)
                .run(arguments(database, settings).toArray(String[]::new)));
    }

    static void awaitRegistry(ConfigurableApplicationContext context) {
        Awaitility.await("the registry")
                .atMost(Duration.ofMinutes(1))
                .until(() -> context.getBean(RegistryMonitor.class).state() == RegistryState.READY);
    }

    /** The arguments of a service for tests, each as {@code --name=value}; of two for one name the last counts. */
    public static List<String> arguments(Map<String, String> database, String... settings) {
        Map<String, String> properties = new LinkedHashMap<>();
        Stream.of(
                        database.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()),
                        TestToken.properties().stream(),
                        Stream.of(
                                "server.address=127.0.0.1",
                                "server.port=0",
                                "management.server.address=127.0.0.1",
                                "management.server.port=0",
                                "server.shutdown=immediate",
                                // So that a machine that stops for seconds looks neither away nor dead.
                                "spring.datasource.hikari.connection-timeout=30000",
                                "eldr.calibration.refit.heartbeat-interval=5s",
                                "eldr.calibration.refit.poll-interval=100ms",
                                "eldr.calibration.refit.progress-interval=20ms",
                                "eldr.calibration.refit.schedule-interval=5m",
                                "eldr.calibration.schema.check-interval=100ms"),
                        Stream.of(settings))
                .flatMap(property -> property)
                .forEach(property -> properties.put(property.substring(0, property.indexOf('=')), property));
        return properties.values().stream().map(property -> "--" + property).toList();
    }

    public ApiClient as(TestToken token) {
        return new ApiClient(port("local.server.port"), token);
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

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }

    private static final class Shared {
        static final TestDatabase DATABASE = TestPostgres.freshDatabase();
        static final TestServer SERVER = start(DATABASE);
    }
}
