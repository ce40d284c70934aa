package io.eldr.router.testing;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** An answer in chunks as it comes over a socket: its head, and its body piece by piece. */
public final class RawAnswer {
    private final InputStream in;
    private final String head;
    /** What is left of the present chunk. */
    private int left;

    private RawAnswer(InputStream in, String head) {
        this.in = in;
        this.head = head;
    }

    /** Waits for the head of an answer. */
    public static RawAnswer to(Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) next(in));
        }
        return new RawAnswer(in, head.toString());
    }

    public String head() {
        return head;
    }

    /** The body until a text was seen, however chunks cut it. */
    public String readUntil(String text) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(text) < 0) {
            if (left == 0) {
                left = chunkSize();
            }
            seen.append((char) next(in));
            if (--left == 0) {
                line();
            }
        }
        return seen.toString();
    }

    /** The rest of the body, up to its end or to where it breaks off. */
    public String rest() throws IOException {
        StringBuilder seen = new StringBuilder();
        try {
            while (true) {
                seen.append(readUntil("\n"));
            }
        } catch (EOFException end) {
            return seen.toString();
        }
    }

    private int chunkSize() throws IOException {
        int size = Integer.parseInt(line(), 16);
        if (size == 0) {
            throw new EOFException("the body ended");
        }
        return size;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.indexOf("\r\n") < 0) {
            line.append((char) next(in));
        }
        return line.substring(0, line.length() - 2);
    }

    private static int next(InputStream in) throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the connection ended");
        }
        return next;
    }
}
