package io.eldr.router.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a server that can be shut: then connections are cut, and new ones are closed at once. */
public final class Gate implements AutoCloseable {

    private final ServerSocket entrance;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean open;

    public Gate(int target) {
        this.target = target;
        try {
            entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return entrance.getLocalPort();
    }

    public void open() {
        open = true;
    }

    public void shut() {
        open = false;
        sockets.forEach(Gate::closeQuietly);
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        shut();
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket outside = entrance.accept();
                if (!open) {
                    outside.close();
                    continue;
                }
                Socket inside = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(outside);
                sockets.add(inside);
                if (!open) {
                    // Shut meanwhile, which may not have seen these.
                    closeQuietly(outside);
                    closeQuietly(inside);
                }
                Thread.ofVirtual().start(() -> pump(outside, inside));
                Thread.ofVirtual().start(() -> pump(inside, outside));
            } catch (IOException e) {
                if (entrance.isClosed()) {
                    return;
                }
            }
        }
    }

    private void pump(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException e) {
            // Cut on one side or the other: both end below.
        } finally {
            closeQuietly(from);
            closeQuietly(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
