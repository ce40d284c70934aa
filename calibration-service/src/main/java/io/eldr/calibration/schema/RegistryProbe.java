package io.eldr.calibration.schema;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The monitor's own way to Postgres, beside the pool: requests that hold all of its connections do not look like an outage. */
final class RegistryProbe implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RegistryProbe.class);
    private static final int VALIDATION_SECONDS = 2;
    private static final String SOCKET_TIMEOUT_SECONDS = "5";

    private final DataSource direct;
    private Optional<Connection> open = Optional.empty();

    private RegistryProbe(DataSource direct) {
        this.direct = direct;
    }

    /** One that reaches what the pool reaches. */
    static RegistryProbe beside(DataSource pool) {
        try {
            HikariDataSource hikari = pool.unwrap(HikariDataSource.class);
            Properties properties = new Properties();
            hikari.getDataSourceProperties()
                    .forEach((name, value) -> properties.setProperty(name.toString(), value.toString()));
            properties.setProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS);
            DriverManagerDataSource direct = new DriverManagerDataSource(hikari.getJdbcUrl());
            direct.setUsername(hikari.getUsername());
            direct.setPassword(hikari.getPassword());
            direct.setConnectionProperties(properties);
            return new RegistryProbe(direct);
        } catch (SQLException e) {
            throw new IllegalStateException("the registry's connections are not pooled by Hikari", e);
        }
    }

    /** Connections outside the pool. */
    DataSource direct() {
        return direct;
    }

    /** What time it is in Postgres, over one connection that is kept; empty if it does not answer. */
    Optional<Instant> time() {
        try {
            if (open.isPresent() && open.get().isValid(VALIDATION_SECONDS)) {
                return Optional.of(timeOver(open.get()));
            }
            close();
            Connection fresh = direct.getConnection();
            open = Optional.of(fresh);
            return Optional.of(timeOver(fresh));
        } catch (SQLException e) {
            return Optional.empty();
        }
    }

    private static Instant timeOver(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select clock_timestamp()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    @Override
    public void close() {
        open.ifPresent(connection -> {
            try {
                connection.close();
            } catch (SQLException e) {
                log.debug("A connection was broken already", e);
            }
        });
        open = Optional.empty();
    }
}
