package io.eldr.benchmarks.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A kept-alive connection that carries one request at a time, and just enough HTTP to know where an answer ends: at its
 * {@code Content-Length}, or at the last of its chunks.
 */
final class Exchange implements AutoCloseable {
    private static final int BUFFER = 1 << 15;
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final byte[] HEAD_END = ascii("\r\n\r\n");
    private static final byte[] LENGTH = ascii("content-length:");
    private static final byte[] LAST_CHUNK = ascii("\r\n0\r\n\r\n");
    private static final byte[] STREAM_END = ascii("data: [DONE]\n\n");
    private static final int LINE_END = 2;
    private static final int UNKNOWN = -1;
    private static final int CHUNKED = -2;

    /** One thread reads at a time. */
    private static final ByteBuffer IN = ByteBuffer.allocateDirect(BUFFER);

    private final SocketChannel channel;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private byte[] answer = new byte[1 << 12];
    private int answered;
    private int expected = UNKNOWN;

    private Exchange(SocketChannel channel) {
        this.channel = channel;
    }

    static Exchange to(int port) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new Exchange(channel);
    }

    SocketChannel channel() {
        return channel;
    }

    /** Begins a request; what the socket does not take at once is to be {@link #flush}ed. */
    void send(byte[] message) throws IOException {
        answered = 0;
        expected = UNKNOWN;
        out = ByteBuffer.wrap(message);
        flush();
    }

    /** Writes what is left; says whether nothing is. */
    boolean flush() throws IOException {
        channel.write(out);
        return !out.hasRemaining();
    }

    /**
     * Reads what there is; says whether the answer is whole.
     *
     * @throws IOException if it broke off
     */
    boolean receive() throws IOException {
        IN.clear();
        int read = channel.read(IN);
        if (read < 0) {
            throw new IOException("the connection was closed in the midst of an answer: " + text());
        }
        IN.flip();
        if (answered + read > answer.length) {
            answer = Arrays.copyOf(answer, Math.max(2 * answer.length, answered + read));
        }
        IN.get(answer, answered, read);
        answered += read;
        if (expected == UNKNOWN) {
            readHead();
        }
        return expected == CHUNKED ? endsWith(LAST_CHUNK) : expected != UNKNOWN && answered >= expected;
    }

    private void readHead() {
        int end = find(HEAD_END, 0, answered);
        if (end >= 0) {
            int length = contentLength(end);
            expected = length < 0 ? CHUNKED : end + HEAD_END.length + length;
        }
    }

    /** Sends a request and waits for its answer, on a channel that blocks; gives the status. */
    int exchange(byte[] message) throws IOException {
        send(message);
        while (!flush()) {
            Thread.onSpinWait();
        }
        while (!receive()) {
            Thread.onSpinWait();
        }
        return status();
    }

    int status() {
        return (answer[STATUS_AT] - '0') * 100 + (answer[STATUS_AT + 1] - '0') * 10 + answer[STATUS_AT + 2] - '0';
    }

    /** Whether the answer, all of which is there, is a whole stream of events. */
    boolean isWholeStream() {
        int bodyEnd = expected == CHUNKED ? joinChunks() : answered;
        return status() == 200
                && bodyEnd >= STREAM_END.length
                && Arrays.equals(answer, bodyEnd - STREAM_END.length, bodyEnd, STREAM_END, 0, STREAM_END.length);
    }

    /** Takes the chunks' frames out, which may stand in the midst of an event; gives where the body ends. */
    private int joinChunks() {
        int at = find(HEAD_END, 0, answered) + HEAD_END.length;
        int end = at;
        while (true) {
            int size = 0;
            for (; answer[at] != '\r'; at++) {
                size = size * 16 + Character.digit(answer[at], 16);
            }
            at += LINE_END;
            if (size == 0) {
                expected = end;
                answered = end;
                return end;
            }
            System.arraycopy(answer, at, answer, end, size);
            end += size;
            at += size + LINE_END;
        }
    }

    /** What has come; to be read only. */
    byte[] bytes() {
        return answer;
    }

    int length() {
        return answered;
    }

    /** What has come, for a message about it. */
    String text() {
        return new String(answer, 0, answered, StandardCharsets.ISO_8859_1);
    }

    /** @return -1 if the head does not tell */
    private int contentLength(int headEnd) {
        int at = find(LENGTH, 0, headEnd);
        if (at < 0) {
            return -1;
        }
        int length = 0;
        for (int i = at + LENGTH.length; i < headEnd && answer[i] != '\r'; i++) {
            if (answer[i] != ' ') {
                length = length * 10 + answer[i] - '0';
            }
        }
        return length;
    }

    private boolean endsWith(byte[] text) {
        return answered >= text.length && Arrays.equals(answer, answered - text.length, answered, text, 0, text.length);
    }

    /** Where a lower-case text stands, whatever the case of what was received; -1 if nowhere. */
    int find(byte[] text, int from, int to) {
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

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
