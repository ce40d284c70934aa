package io.eldr.admin.testing;

import io.eldr.admin.AdminApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** The dashboard in this JVM, on free ports of the loopback address. */
public final class TestAdmin implements AutoCloseable {
    /** What it is known by at the services. */
    public static final String TOKEN = "token-of-the-dashboard";

    private final ConfigurableApplicationContext context;

    private TestAdmin(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** One before fakes that the tests share. */
    public static TestAdmin shared() {
        return Shared.ADMIN;
    }

    /** The calibration service behind {@link #shared}. */
    public static FakeService sharedCalibration() {
        return Shared.CALIBRATION;
    }

    /** @param settings each as {@code name=value}; of two for one name the last counts */
    public static TestAdmin start(URI calibration, String... settings) {
        Map<String, String> arguments = new LinkedHashMap<>();
        Stream.concat(
                        Stream.of(
                                "server.address=127.0.0.1",
                                "server.port=0",
                                "server.shutdown=immediate",
                                "server.servlet.session.cookie.secure=false",
                                "management.server.address=127.0.0.1",
                                "management.server.port=0",
                                "eldr.admin.calibration-url=" + calibration,
                                "eldr.admin.token=" + TOKEN,
                                "eldr.admin.live.interval=100ms",
                                "eldr.admin.calls.connect-timeout=30s",
                                "eldr.admin.session.failures=1000",
                                "eldr.admin.users.file=" + users()),
                        Stream.of(settings))
                .forEach(setting -> arguments.put(setting.substring(0, setting.indexOf('=')), "--" + setting));
        return new TestAdmin(new SpringApplicationBuilder(AdminApplication.class)
                .registerShutdownHook(false)
                .run(arguments.values().toArray(String[]::new)));
    }

    /** A users file with one user for each role, whose password is the name followed by {@code -password}. */
    private static Path users() {
        return Shared.USERS;
    }

    public static String passwordOf(String user) {
        return user + "-password";
    }

    public Browser browser() {
        return new Browser(address());
    }

    /** One in which a user is logged in. */
    public Browser browserOf(String user) {
        return browser().logIn(user, passwordOf(user));
    }

    public URI address() {
        String path = context.getEnvironment().getProperty("server.servlet.context-path", "");
        return URI.create("http://127.0.0.1:" + port("local.server.port") + path);
    }

    public int managementPort() {
        return port("local.management.port");
    }

    private int port(String property) {
        return context.getEnvironment().getRequiredProperty(property, Integer.class);
    }

    @Override
    public void close() {
        context.close();
    }

    private static final class Shared {
        static final Path USERS = makeUsers();
        static final FakeService CALIBRATION = FakeService.start();
        static final TestAdmin ADMIN = start(CALIBRATION.address());

        private static Path makeUsers() {
            BCryptPasswordEncoder encoder = new BCryptPasswordEncoder(4);
            StringBuilder lines = new StringBuilder();
            Stream.of("viewer", "operator", "admin")
                    .forEach(name -> lines.append(name)
                            .append(' ')
                            .append(name)
                            .append(' ')
                            .append(encoder.encode(passwordOf(name)))
                            .append('\n'));
            try {
                Path file = Files.createTempFile("eldr-users", "");
                file.toFile().deleteOnExit();
                return Files.writeString(file, lines);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
