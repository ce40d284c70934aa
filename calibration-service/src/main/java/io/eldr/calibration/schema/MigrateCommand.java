package io.eldr.calibration.schema;

import io.eldr.db.schema.Schema;
import java.util.Arrays;
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

/**
 * {@code java -jar eldr-calibration-service.jar migrate}: brings the schema to the newest version and ends. It takes the
 * service's own configuration of the data source and nothing else of the service.
 */
public final class MigrateCommand {
    public static final String NAME = "migrate";

    private static final int DONE = 0;
    private static final int FAILED = 1;

    private MigrateCommand() {}

    /**
     * @param args {@code migrate} and then settings as the service takes them
     * @return the exit status: 0 if the schema is there
     */
    public static int run(String... args) {
        SpringApplication application = new SpringApplication(Connection.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLogStartupInfo(false);
        try (ConfigurableApplicationContext context = application.run(Arrays.copyOfRange(args, 1, args.length))) {
            return migrate(context.getBean(DataSource.class));
        }
    }

    private static int migrate(DataSource database) {
        Logger log = LoggerFactory.getLogger(MigrateCommand.class);
        try {
            int applied = new Schema(database).migrate();
            log.info("The schema is at its newest version; migrations applied: {}", applied);
            return DONE;
        } catch (FlywayException e) {
            log.error("The schema was not migrated: {}", rootMessage(e), e);
            return FAILED;
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
    static class Connection {}
}
