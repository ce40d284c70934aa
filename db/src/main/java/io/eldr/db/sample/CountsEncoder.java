package io.eldr.db.sample;

import io.eldr.core.signature.ExpertCounts;
import java.nio.ByteBuffer;
import java.util.zip.Deflater;

/**
 * Writes {@link CountsPayload}s, one after the other. It codes single bytes and looks for no repetitions: counts have
 * many zero bytes but repeat little, so that this is both faster and smaller than zlib's fastest usual way.
 */
final class CountsEncoder implements AutoCloseable {
    private static final int MAX_U16 = 0xFFFF;
    /** What zlib adds at worst, for these sizes and more. */
    private static final int SLACK = 1_024;

    private final Deflater deflater;

    CountsEncoder() {
        deflater = new Deflater(Deflater.BEST_SPEED);
        deflater.setStrategy(Deflater.HUFFMAN_ONLY);
    }

    byte[] encode(ExpertCounts counts) {
        byte form = form(counts);
        byte[] plain = plain(counts, form);
        deflater.reset();
        deflater.setInput(plain);
        deflater.finish();
        byte[] deflated = new byte[plain.length + plain.length / 100 + SLACK];
        int length = 0;
        while (!deflater.finished()) {
            if (length == deflated.length) {
                throw new IllegalStateException("zlib wants more than " + length + " bytes for " + plain.length);
            }
            length += deflater.deflate(deflated, length, deflated.length - length);
        }
        return CountsPayload.littleEndian(new byte[CountsPayload.HEADER + length])
                .put(form)
                .putShort((short) counts.layers())
                .putShort((short) counts.experts())
                .put(deflated, 0, length)
                .array();
    }

    private static byte form(ExpertCounts counts) {
        for (int i = 0; i < counts.size(); i++) {
            if (counts.cell(i) > MAX_U16) {
                return CountsPayload.U32;
            }
        }
        return CountsPayload.U16;
    }

    private static byte[] plain(ExpertCounts counts, byte form) {
        byte[] bytes = new byte[counts.size() * CountsPayload.width(form)];
        ByteBuffer out = CountsPayload.littleEndian(bytes);
        for (int i = 0; i < counts.size(); i++) {
            if (form == CountsPayload.U16) {
                out.putShort((short) counts.cell(i));
            } else {
                out.putInt(counts.cell(i));
            }
        }
        return bytes;
    }

    @Override
    public void close() {
        deflater.close();
    }
}
