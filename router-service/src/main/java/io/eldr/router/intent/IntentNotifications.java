package io.eldr.router.intent;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a connection of its own for the word that intent changed, and calls back. While the connection is away it
 * is made again with growing pauses; what was missed meanwhile is found by the poll that every new connection causes.
 */
final class IntentNotifications implements AutoCloseable {

    /** Makes a connection that nobody else uses. */
    @FunctionalInterface
    interface Connector {
        Connection connect() throws SQLException;
    }

    static final String CHANNEL = "eldr_intent";

    private static final Logger log = LoggerFactory.getLogger(IntentNotifications.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** How long one wait lasts; a connection that died silently is found after it. */
    private static final int WAIT_MILLIS = 10_000;

    private static final int ALIVE_SECONDS = 3;

    private final Connector connector;
    private final Runnable onChange;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Connection connection;

    IntentNotifications(Connector connector, Runnable onChange) {
        this.connector = connector;
        this.onChange = onChange;
        this.thread = Thread.ofVirtual().name("intent-notifications").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        Connection open = connection;
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException e) {
                log.debug("The listening connection was gone already", e);
            }
        }
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        while (!closed) {
            try (Connection listening = connector.connect()) {
                connection = listening;
                try (Statement statement = listening.createStatement()) {
                    statement.execute("listen " + CHANNEL);
                }
                log.info("Listening for changes of intent");
                pause = FIRST_PAUSE;
                onChange.run();
                listen(listening);
            } catch (SQLException e) {
                if (closed) {
                    return;
                }
                if (pause.equals(FIRST_PAUSE)) {
                    log.warn("No notifications of changed intent, polling goes on: {}", e.getMessage());
                }
            }
            if (!sleep(pause)) {
                return;
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    private void listen(Connection listening) throws SQLException {
        PGConnection postgres = listening.unwrap(PGConnection.class);
        while (!closed) {
            PGNotification @Nullable [] notifications = postgres.getNotifications(WAIT_MILLIS);
            if (notifications != null && notifications.length > 0) {
                onChange.run();
            } else if (!listening.isValid(ALIVE_SECONDS)) {
                throw new SQLException("the listening connection is dead");
            }
        }
    }

    /** @return false if it is time to stop */
    private boolean sleep(Duration pause) {
        try {
            long millis = pause.toMillis();
            Thread.sleep(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
            return !closed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
