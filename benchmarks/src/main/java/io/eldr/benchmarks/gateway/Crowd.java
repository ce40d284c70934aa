package io.eldr.benchmarks.gateway;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;

/** Many clients on one thread, each with its next request as soon as it has its answer. */
final class Crowd implements AutoCloseable {
    private final Selector selector = Selector.open();
    private final List<Way.Client> clients = new ArrayList<>();

    Crowd(Way way, Messages messages, int size) throws IOException {
        for (int i = 0; i < size; i++) {
            Way.Client client = new Way.Client(way, messages);
            clients.add(client);
            for (Exchange connection : client.connections()) {
                connection.channel().configureBlocking(false);
                connection.channel().register(selector, SelectionKey.OP_READ, client);
            }
        }
    }

    /** How many requests were answered in how long. */
    record Throughput(long requests, long nanos) {}

    /** Goes on for so long and lets everybody have the last answer. */
    Throughput run(long forNanos) throws IOException {
        long start = System.nanoTime();
        long answered = 0;
        int underWay = clients.size();
        for (Way.Client client : clients) {
            client.begin();
            flush(client);
        }
        while (underWay > 0) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                Way.Client client = (Way.Client) key.attachment();
                if (key.isWritable()) {
                    flush(client);
                }
                if (!key.isReadable() || !client.current().receive()) {
                    continue;
                }
                boolean done = client.proceed();
                if (done) {
                    answered++;
                    if (System.nanoTime() - start >= forNanos) {
                        underWay--;
                        continue;
                    }
                    client.begin();
                }
                flush(client);
            }
            selector.selectedKeys().clear();
        }
        return new Throughput(answered, System.nanoTime() - start);
    }

    private void flush(Way.Client client) throws IOException {
        boolean written = client.current().flush();
        client.current()
                .channel()
                .keyFor(selector)
                .interestOps(written ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }

    @Override
    public void close() throws IOException {
        for (Way.Client client : clients) {
            client.close();
        }
        selector.close();
    }
}
