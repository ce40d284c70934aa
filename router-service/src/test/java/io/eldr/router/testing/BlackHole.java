package io.eldr.router.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A host that does not answer: whoever connects waits until its own patience ends. */
public final class BlackHole implements AutoCloseable {
    private final ServerSocket server;
    private final List<Socket> waiting = new ArrayList<>();

    /** Fills the queue of those whom nobody accepts, after which the kernel answers no more. */
    public BlackHole() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
        int unanswered = 0;
        // One that is slow is not full yet.
        while (unanswered < 2) {
            Socket socket = new Socket();
            try {
                socket.connect(address, 200);
                waiting.add(socket);
                unanswered = 0;
            } catch (SocketTimeoutException silence) {
                unanswered++;
                socket.close();
            }
        }
    }

    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : waiting) {
            socket.close();
        }
        server.close();
    }
}
