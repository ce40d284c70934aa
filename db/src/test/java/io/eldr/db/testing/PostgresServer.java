package io.eldr.db.testing;

import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A running server.
 *
 * @param description its kind and version, for the log
 */
record PostgresServer(String description, String host, int port, String username, String password) {
    String url(String database) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }

    /** Opens a connection each time. */
    DataSource dataSource(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url(database));
        source.setUser(username);
        source.setPassword(password);
        return source;
    }
}
