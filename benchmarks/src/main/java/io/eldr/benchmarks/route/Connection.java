package io.eldr.benchmarks.route;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A kept-alive connection that carries one request at a time, and just enough HTTP to know where an answer ends. */
final class Connection implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
    private static final byte[] LENGTH = ascii("content-length:");
    private static final byte[] RESERVATION = ascii("\"reservation\":{\"id\":\"");
    /** It is the answer's last field. */
    private static final int RESERVATION_FROM_END = 250;

    private static final int STATUS_AT = "HTTP/1.1 ".length();

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
    private final byte[] answer = new byte[BUFFER];
    private int answered;
    private int expected;

    private Connection(SocketChannel channel) {
        this.channel = channel;
    }

    static Connection to(int port) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new Connection(channel);
    }

    SocketChannel channel() {
        return channel;
    }

    /** Begins a request; what the socket does not take at once is to be {@link #flush}ed. */
    void send(byte[] message) throws IOException {
        answered = 0;
        expected = -1;
        out.clear().put(message).flip();
        flush();
    }

    /** @return whether all was written */
    boolean flush() throws IOException {
        channel.write(out);
        return !out.hasRemaining();
    }

    /** Reads what there is. @return whether the answer is whole */
    boolean receive() throws IOException {
        in.clear();
        int read = channel.read(in);
        if (read < 0) {
            throw new IOException("the router closed the connection");
        }
        in.flip().get(answer, answered, read);
        answered += read;
        if (expected < 0) {
            int end = find(HEAD_END, 0, answered);
            if (end >= 0) {
                expected = end + HEAD_END.length + contentLength(end);
            }
        }
        return expected >= 0 && answered >= expected;
    }

    /** Sends a request and waits for its answer, on a channel that blocks. @return the status */
    int exchange(byte[] message) throws IOException {
        send(message);
        while (out.hasRemaining()) {
            flush();
        }
        while (!receive()) {
            Thread.onSpinWait();
        }
        return status();
    }

    int status() {
        return (answer[STATUS_AT] - '0') * 100 + (answer[STATUS_AT + 1] - '0') * 10 + answer[STATUS_AT + 2] - '0';
    }

    /** The id of the reservation that the answer tells of. */
    Optional<String> reservation() {
        int at = find(RESERVATION, Math.max(0, answered - RESERVATION_FROM_END), answered);
        if (at < 0) {
            return Optional.empty();
        }
        int start = at + RESERVATION.length;
        int end = start;
        while (answer[end] != '"') {
            end++;
        }
        return Optional.of(new String(answer, start, end - start, StandardCharsets.US_ASCII));
    }

    /** The answer, for a message about it. */
    String text() {
        return new String(answer, 0, answered, StandardCharsets.ISO_8859_1);
    }

    private int contentLength(int headEnd) {
        int at = find(LENGTH, 0, headEnd);
        int length = 0;
        for (int i = at + LENGTH.length; at >= 0 && i < headEnd && answer[i] != '\r'; i++) {
            if (answer[i] != ' ') {
                length = length * 10 + answer[i] - '0';
            }
        }
        return length;
    }

    /** Where a lower-case text stands, whatever the case of what was received; -1 if nowhere. */
    private int find(byte[] text, int from, int to) {
        for (int i = from; i <= to - text.length; i++) {
            int j = 0;
            while (j < text.length && lower(answer[i + j]) == text[j]) {
                j++;
            }
            if (j == text.length) {
                return i;
            }
        }
        return -1;
    }

    private static byte lower(byte c) {
        return c >= 'A' && c <= 'Z' ? (byte) (c + 32) : c;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
