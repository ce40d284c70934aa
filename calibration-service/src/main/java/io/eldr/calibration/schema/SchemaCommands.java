package io.eldr.calibration.schema;

import io.eldr.db.schema.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * What the service's jar does with the schema and ends: {@code migrate} brings it to the newest version, {@code await-schema}
 * waits until somebody has. They take the service's own configuration of the data source, wait for Postgres as long as
 * {@code eldr.calibration.schema.patience} says, and nothing else of the service.
 */
public final class SchemaCommands {
    public static final String MIGRATE = "migrate";
    public static final String AWAIT = "await-schema";

    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final String PATIENCE = "eldr.calibration.schema.patience";
    /** A file that makes waiting needless: {@code --unless-file=/var/lib/eldr/last-good.eldr}. */
    private static final String UNLESS_FILE = "unless-file";

    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration BETWEEN_WORDS = Duration.ofSeconds(30);

    /** Classes of SQLSTATE, which no waiting mends. */
    private static final String BAD_USER_OR_PASSWORD = "28";

    private static final String NO_SUCH_DATABASE = "3D";

    private static final Obstacle NOT_MIGRATED = new Obstacle(
            "Postgres answers, but migrations are missing; the log of what runs 'migrate' says why", false);

    private static final Logger log = LoggerFactory.getLogger(SchemaCommands.class);

    /** @param lasting whether it is there however long one waits */
    private record Obstacle(String what, boolean lasting) {}

    private final DataSource database;
    private final long until;

    private SchemaCommands(DataSource database, Duration patience) {
        this.database = database;
        this.until = System.nanoTime() + patience.toNanos();
    }

    /**
     * @param args {@code migrate} or {@code await-schema} and then settings as the service takes them
     * @return the exit status: 0 if the schema is there
     */
    public static int run(String... args) {
        SpringApplication application = new SpringApplication(Configured.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLogStartupInfo(false);
        try (ConfigurableApplicationContext context = application.run(Arrays.copyOfRange(args, 1, args.length))) {
            Environment settings = context.getEnvironment();
            SchemaCommands commands = new SchemaCommands(
                    RegistryProbe.beside(context.getBean(DataSource.class)).direct(),
                    settings.getProperty(PATIENCE, Duration.class, Duration.ZERO));
            return args[0].equals(MIGRATE)
                    ? commands.migrate()
                    : commands.await(Optional.ofNullable(settings.getProperty(UNLESS_FILE))
                            .map(Path::of));
        }
    }

    private int migrate() {
        Optional<Obstacle> unreachable = retry(this::connect);
        if (unreachable.isPresent()) {
            log.error("The schema was not migrated: {}", unreachable.get().what());
            return FAILED;
        }
        try {
            int applied = new Schema(database).migrate();
            log.info("The schema is at its newest version; migrations applied: {}", applied);
            return DONE;
        } catch (FlywayException e) {
            log.error("The schema was not migrated: {}", rootMessage(e), e);
            return FAILED;
        }
    }

    private int await(Optional<Path> substitute) {
        if (substitute.filter(Files::isRegularFile).isPresent()) {
            log.info("{} is there: the schema is not waited for", substitute.get());
            return DONE;
        }
        Schema schema = new Schema(database);
        Optional<Obstacle> missing =
                retry(() -> connect().or(() -> schema.isReady() ? Optional.empty() : Optional.of(NOT_MIGRATED)));
        if (missing.isPresent()) {
            log.error("The schema is not there: {}", missing.get().what());
            return FAILED;
        }
        log.info("The schema is there");
        return DONE;
    }

    private Optional<Obstacle> connect() {
        try (Connection connection = database.getConnection()) {
            return connection.isValid(1)
                    ? Optional.empty()
                    : Optional.of(new Obstacle("the connection to Postgres does not work", false));
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            boolean refused = state.startsWith(BAD_USER_OR_PASSWORD) || state.startsWith(NO_SUCH_DATABASE);
            return Optional.of(new Obstacle(rootMessage(e), refused));
        }
    }

    /** Tries until nothing is in the way, or patience ends, or it would not help; says what it waits for. */
    private Optional<Obstacle> retry(Supplier<Optional<Obstacle>> attempt) {
        String said = "";
        long silentUntil = System.nanoTime();
        while (true) {
            Optional<Obstacle> obstacle = attempt.get();
            long now = System.nanoTime();
            if (obstacle.isEmpty() || obstacle.get().lasting() || now + PAUSE.toNanos() > until) {
                return obstacle;
            }
            if (!obstacle.get().what().equals(said) || now > silentUntil) {
                said = obstacle.get().what();
                log.info("Waiting: {}", said);
                silentUntil = now + BETWEEN_WORDS.toNanos();
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return obstacle;
            }
        }
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DataSourceAutoConfiguration.class)
    static class Configured {}
}
