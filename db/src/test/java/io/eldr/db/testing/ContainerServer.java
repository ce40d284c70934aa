package io.eldr.db.testing;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** The server as a container, removed by Testcontainers when the JVM ends. */
final class ContainerServer {
    private static final String IMAGE = "postgres:18-alpine";

    private ContainerServer() {}

    static boolean engineAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    static PostgresServer start() {
        PostgreSQLContainer container = new PostgreSQLContainer(IMAGE);
        container.withUsername("postgres");
        container.withCommand("postgres", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200");
        container.start();
        return new PostgresServer(
                "container " + IMAGE,
                container.getHost(),
                container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                container.getUsername(),
                container.getPassword());
    }
}
