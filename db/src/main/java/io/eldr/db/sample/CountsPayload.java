package io.eldr.db.sample;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Expert counts as they are stored: exact, compact and self-checking.
 *
 * <p>Byte 0 is the form: 1 where every cell fits in 16 bits, else 2. Two u16 little-endian follow, L and E, then a zlib
 * stream (RFC 1950, with its Adler-32) of the L*E cells, layer-major, little-endian, u16 in form 1 and u32 in form 2.
 */
public final class CountsPayload {
    private static final int HEADER = 5;
    private static final byte U16 = 1;
    private static final byte U32 = 2;
    private static final int U16_MAX = 0xffff;

    private CountsPayload() {}

    public static byte[] encode(ExpertCounts counts) {
        int[] cells = counts.toArray();
        byte form = Arrays.stream(cells).allMatch(cell -> cell <= U16_MAX) ? U16 : U32;
        byte[] deflated = deflate(plain(cells, form));
        byte[] payload = new byte[HEADER + deflated.length];
        littleEndian(payload)
                .put(form)
                .putShort((short) counts.layers())
                .putShort((short) counts.experts())
                .put(deflated);
        return payload;
    }

    /** @throws CorruptPayloadException if the bytes are not a whole payload or its checksum is wrong */
    public static ExpertCounts decode(byte[] payload) {
        if (payload.length < HEADER) {
            throw new CorruptPayloadException("it has only " + payload.length + " bytes");
        }
        ByteBuffer in = littleEndian(payload);
        byte form = in.get();
        if (form != U16 && form != U32) {
            throw new CorruptPayloadException("its form is " + form);
        }
        int layers = Short.toUnsignedInt(in.getShort());
        int experts = Short.toUnsignedInt(in.getShort());
        if (layers < 1 || layers > Geometry.MAX_LAYERS || experts < 1 || experts > Geometry.MAX_EXPERTS) {
            throw new CorruptPayloadException("its shape is [" + layers + ", " + experts + "]");
        }
        int[] cells = new int[layers * experts];
        ByteBuffer plain = littleEndian(inflate(payload, cells.length * width(form)));
        for (int i = 0; i < cells.length; i++) {
            cells[i] = form == U16 ? Short.toUnsignedInt(plain.getShort()) : plain.getInt();
            if (cells[i] < 0) {
                throw new CorruptPayloadException("cell " + i + " is " + Integer.toUnsignedString(cells[i]));
            }
        }
        return ExpertCounts.of(layers, experts, cells);
    }

    private static int width(byte form) {
        return form == U16 ? Short.BYTES : Integer.BYTES;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] plain(int[] cells, byte form) {
        byte[] bytes = new byte[cells.length * width(form)];
        ByteBuffer out = littleEndian(bytes);
        for (int cell : cells) {
            if (form == U16) {
                out.putShort((short) cell);
            } else {
                out.putInt(cell);
            }
        }
        return bytes;
    }

    private static byte[] deflate(byte[] plain) {
        // Counts are small numbers in wide cells: the fastest level takes most of what there is to gain.
        try (Deflater deflater = new Deflater(Deflater.BEST_SPEED)) {
            deflater.setInput(plain);
            deflater.finish();
            byte[] out = new byte[plain.length / 2 + 64];
            int length = 0;
            while (!deflater.finished()) {
                if (length == out.length) {
                    out = Arrays.copyOf(out, out.length * 2);
                }
                length += deflater.deflate(out, length, out.length - length);
            }
            return Arrays.copyOf(out, length);
        }
    }

    private static byte[] inflate(byte[] payload, int size) {
        try (Inflater inflater = new Inflater()) {
            inflater.setInput(payload, HEADER, payload.length - HEADER);
            byte[] plain = new byte[size];
            int length = 0;
            while (length < size && !inflater.needsInput() && !inflater.finished() && !inflater.needsDictionary()) {
                length += inflater.inflate(plain, length, size - length);
            }
            boolean more = inflater.inflate(new byte[1]) > 0;
            if (length < size || more || !inflater.finished() || inflater.getRemaining() > 0) {
                throw new CorruptPayloadException("it does not hold exactly " + size + " bytes");
            }
            return plain;
        } catch (DataFormatException e) {
            throw new CorruptPayloadException("it does not inflate: " + e.getMessage());
        }
    }
}
