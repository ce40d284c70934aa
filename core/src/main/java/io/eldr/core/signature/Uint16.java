package io.eldr.core.signature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;

/** Little-endian uint16 values, read on a request's way. */
final class Uint16 {
    /** Copied as a block, then widened in a loop that the compiler makes vectors of. */
    private static final int BLOCK = 512;

    private Uint16() {}

    /** The first values of the buffer's remaining bytes, which it leaves where they are. */
    static int[] read(ByteBuffer bytes, int count) {
        ShortBuffer values = bytes.slice().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
        int[] read = new int[count];
        short[] block = new short[Math.min(BLOCK, count)];
        for (int from = 0; from < count; from += BLOCK) {
            int length = Math.min(BLOCK, count - from);
            values.get(from, block, 0, length);
            for (int i = 0; i < length; i++) {
                read[from + i] = block[i] & 0xFFFF;
            }
        }
        return read;
    }
}
