package io.eldr.calibration.web;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;

/** A body that fails once more than its limit was read. */
final class LimitedBody extends ServletInputStream {
    private final ServletInputStream body;
    private final long limit;
    private long read;

    LimitedBody(ServletInputStream body, long limit) {
        this.body = body;
        this.limit = limit;
    }

    @Override
    public int read() throws IOException {
        int value = body.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int count = body.read(target, offset, length);
        count(Math.max(0, count));
        return count;
    }

    private void count(int bytes) throws BodyTooLargeException {
        read += bytes;
        if (read > limit) {
            throw new BodyTooLargeException(limit);
        }
    }

    @Override
    public boolean isFinished() {
        return body.isFinished();
    }

    @Override
    public boolean isReady() {
        return body.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        body.setReadListener(listener);
    }
}
