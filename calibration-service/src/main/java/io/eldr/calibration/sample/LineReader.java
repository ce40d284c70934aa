package io.eldr.calibration.sample;

import io.eldr.core.signature.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** Cuts a stream into lines of bounded length; blank lines are passed over but counted. */
final class LineReader {
    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final int maxLength;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int filled;
    private int number;

    LineReader(InputStream in, int maxLength) {
        this.in = in;
        this.maxLength = maxLength;
    }

    /** The number of the line that {@link #next} gave last, from 1. */
    int number() {
        return number;
    }

    /**
     * The next line that is not blank, without its end; empty at the end of the stream.
     *
     * @throws InvalidInputException if it is longer than allowed
     */
    Optional<byte[]> next() throws IOException {
        while (true) {
            byte[] line = new byte[0];
            boolean any = false;
            while (position < filled || fill()) {
                any = true;
                int end = position;
                while (end < filled && buffer[end] != '\n') {
                    end++;
                }
                int length = line.length;
                if (length + (long) end - position > maxLength) {
                    number++;
                    throw new InvalidInputException("", "is longer than " + maxLength + " bytes");
                }
                line = Arrays.copyOf(line, length + end - position);
                System.arraycopy(buffer, position, line, length, end - position);
                position = Math.min(end + 1, filled);
                if (end < filled) {
                    break;
                }
            }
            if (!any) {
                return Optional.empty();
            }
            number++;
            if (!isBlank(line)) {
                return Optional.of(line);
            }
        }
    }

    private boolean fill() throws IOException {
        position = 0;
        filled = Math.max(0, in.read(buffer));
        return filled > 0;
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }
}
