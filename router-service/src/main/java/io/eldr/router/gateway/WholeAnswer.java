package io.eldr.router.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Arrays;

/** An engine's answer that is read whole. */
final class WholeAnswer {
    private static final int SMALL = 1 << 10;
    /** More than that is not made room for before it comes, whatever was announced. */
    private static final int LARGE = 1 << 20;

    private final int status;
    private final HttpHeaders headers;
    private final int limit;
    private byte[] bytes;
    private int length;

    /** @param limit what it may have */
    WholeAnswer(int status, HttpHeaders headers, int limit) {
        this.status = status;
        this.headers = headers;
        this.limit = limit;
        int told = headers.getInt(HttpHeaderNames.CONTENT_LENGTH, SMALL);
        this.bytes = new byte[Math.clamp(told, 0, Math.min(limit, LARGE))];
    }

    /** Adds a piece, which is released; says whether there was room. */
    boolean add(ByteBuf piece) {
        try {
            int more = piece.readableBytes();
            if (more > limit - length) {
                return false;
            }
            if (length + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(limit, Math.max(2L * bytes.length, length + more)));
            }
            piece.readBytes(bytes, length, more);
            length += more;
            return true;
        } finally {
            piece.release();
        }
    }

    int status() {
        return status;
    }

    HttpHeaders headers() {
        return headers;
    }

    /** What has come; to be read only. */
    byte[] body() {
        if (bytes.length != length) {
            bytes = Arrays.copyOf(bytes, length);
        }
        return bytes;
    }
}
