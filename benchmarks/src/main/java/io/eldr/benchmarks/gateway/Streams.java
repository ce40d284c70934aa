package io.eldr.benchmarks.gateway;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Answers that run at once for a while: those that come to their end, and those whose client leaves. */
final class Streams implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_MILLIS = 50;
    private static final long SELECT_MILLIS = 100;

    private final Selector selector = Selector.open();
    private final List<Exchange> open = new ArrayList<>();

    /** Opens so many, all with the same request. */
    Streams(int port, int count, byte[] message) throws IOException {
        for (int i = 0; i < count; i++) {
            Exchange connection = Exchange.to(port);
            connection.channel().configureBlocking(false);
            connection.channel().register(selector, SelectionKey.OP_READ, connection);
            connection.send(message);
            open.add(connection);
        }
    }

    /** Reads until all have ended, or nothing more can be hoped for; gives how many came to their end whole. */
    int complete() throws IOException {
        int completed = 0;
        int underWay = open.size();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (underWay > 0 && System.nanoTime() < deadline) {
            selector.select(SELECT_MILLIS);
            for (SelectionKey key : selector.selectedKeys()) {
                Exchange connection = (Exchange) key.attachment();
                try {
                    if (!connection.receive()) {
                        continue;
                    }
                    completed += connection.isWholeStream() ? 1 : 0;
                } catch (IOException brokenOff) {
                    // It counts as not completed.
                }
                key.cancel();
                underWay--;
            }
            selector.selectedKeys().clear();
        }
        return completed;
    }

    /** Waits until the engines run as many as were opened. */
    boolean awaitRunning(Engines engines) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (engines.running() < open.size()) {
            if (System.nanoTime() > deadline || !Engines.pause(LOOK_MILLIS)) {
                return false;
            }
        }
        return true;
    }

    /** Every client leaves. */
    @Override
    public void close() throws IOException {
        for (Exchange connection : open) {
            connection.close();
        }
        open.clear();
        selector.close();
    }
}
