package io.eldr.benchmarks.route;

import io.eldr.benchmarks.route.BenchBodies.Kind;
import io.eldr.benchmarks.route.BenchBodies.Template;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Sends requests from one thread, over connections that are kept, and closes what was reserved when it is asked to. */
final class Load implements AutoCloseable {
    private static final int CONCURRENT = 16;
    private static final byte[] NOTHING = {};

    private final Map<Kind, List<Template>> templates;
    private final Connection single;
    private final Selector selector = Selector.open();
    private final List<Connection> many = new ArrayList<>();
    private final List<String> reserved = new ArrayList<>();
    private long sent;

    Load(int port, Map<Kind, List<Template>> templates) throws IOException {
        this.templates = templates;
        this.single = Connection.to(port);
        for (int i = 0; i < CONCURRENT; i++) {
            Connection connection = Connection.to(port);
            connection.channel().configureBlocking(false);
            connection.channel().register(selector, SelectionKey.OP_READ, connection);
            many.add(connection);
        }
    }

    /** Sends so many, one at a time. @return how long each took, in nanoseconds */
    long[] oneAtATime(Kind kind, int requests) throws IOException {
        long[] nanos = new long[requests];
        for (int i = 0; i < requests; i++) {
            byte[] message = next(kind);
            long start = System.nanoTime();
            single.exchange(message);
            nanos[i] = System.nanoTime() - start;
            took(kind, single);
        }
        return nanos;
    }

    /** Keeps 16 under way for so long. @return how many were answered, and in how long */
    Throughput manyAtATime(Kind kind, long forNanos) throws IOException {
        long start = System.nanoTime();
        long end = start + forNanos;
        long before = sent;
        exchange(() -> System.nanoTime() < end ? next(kind) : NOTHING, connection -> took(kind, connection));
        return new Throughput(sent - before, System.nanoTime() - start);
    }

    /** How many requests were answered in how long. */
    record Throughput(long requests, long nanos) {}

    /** Closes all that was reserved. */
    void closeReserved(String token) throws IOException {
        Iterator<String> ids = reserved.iterator();
        exchange(
                () -> ids.hasNext()
                        ? BenchBodies.head("DELETE", "/v1/reservations/" + ids.next(), token, "Accept: */*")
                        : NOTHING,
                connection -> {
                    if (connection.status() != 204) {
                        throw new IllegalStateException("a reservation was not closed: " + connection.text());
                    }
                });
        reserved.clear();
    }

    /** Sends messages over all connections until there are none, each as soon as another was answered. */
    private void exchange(Supplier<byte[]> messages, Consumer<Connection> answered) throws IOException {
        int underWay = 0;
        for (Connection connection : many) {
            underWay += send(messages.get(), connection) ? 1 : 0;
        }
        while (underWay > 0) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                Connection connection = (Connection) key.attachment();
                if (key.isWritable() && connection.flush()) {
                    key.interestOps(SelectionKey.OP_READ);
                }
                if (key.isReadable() && connection.receive()) {
                    answered.accept(connection);
                    underWay -= send(messages.get(), connection) ? 0 : 1;
                }
            }
            selector.selectedKeys().clear();
        }
    }

    /** @return whether there was a message */
    private boolean send(byte[] message, Connection connection) throws IOException {
        if (message.length == 0) {
            return false;
        }
        connection.send(message);
        if (!connection.flush()) {
            connection.channel().keyFor(selector).interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
        return true;
    }

    /** A request of an id that was not sent before. */
    private byte[] next(Kind kind) {
        List<Template> of = templates.getOrDefault(kind, List.of());
        long id = sent++;
        return of.get((int) (id % of.size())).withId(id);
    }

    private void took(Kind kind, Connection connection) {
        int wanted = kind.decides() ? 200 : 204;
        if (connection.status() != wanted) {
            throw new IllegalStateException(kind + " was answered: " + connection.text());
        }
        if (kind.decides()) {
            reserved.add(connection
                    .reservation()
                    .orElseThrow(() -> new IllegalStateException("nothing was reserved: " + connection.text())));
        }
    }

    @Override
    public void close() throws IOException {
        single.close();
        for (Connection connection : many) {
            connection.close();
        }
        selector.close();
    }
}
