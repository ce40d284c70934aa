package io.eldr.db.sample;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Expert counts as they are stored: exact, compact and self-checking.
 *
 * <p>Byte 0 is the form: 1 where every cell fits in 16 bits, else 2. Two u16 little-endian follow, L and E, then a zlib
 * stream (RFC 1950, with its Adler-32) of the L*E cells, layer-major, little-endian, u16 in form 1 and u32 in form 2.
 * {@link CountsEncoder} writes it.
 */
public final class CountsPayload {
    static final int HEADER = 5;
    static final byte U16 = 1;
    static final byte U32 = 2;

    private CountsPayload() {}

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

    static int width(byte form) {
        return form == U16 ? Short.BYTES : Integer.BYTES;
    }

    static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
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
