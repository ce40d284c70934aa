package io.eldr.core.signature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The wire form of {@code application/octet-stream}: exactly 2*L*E bytes, uint16 little-endian [L,E], layer-major. L and
 * E come from the pool. The value 65,535 means 65,535 or more.
 */
public final class RawForm {
    /** The largest value of a cell; it stands for itself and for everything above. */
    public static final int SATURATED = 0xFFFF;

    private RawForm() {}

    /**
     * @param field the name to give to what was refused
     * @throws InvalidInputException if there are not exactly 2*L*E bytes
     */
    public static ExpertCounts read(String field, byte[] bytes, Geometry geometry) {
        return read(field, ByteBuffer.wrap(bytes), geometry);
    }

    /**
     * Reads the buffer's remaining bytes, which it leaves where they are, whatever the buffer's byte order.
     *
     * @param field the name to give to what was refused
     * @throws InvalidInputException if there are not exactly 2*L*E bytes
     */
    public static ExpertCounts read(String field, ByteBuffer bytes, Geometry geometry) {
        int expected = 2 * geometry.cells();
        if (bytes.remaining() != expected) {
            throw new InvalidInputException(
                    field,
                    "holds " + bytes.remaining() + " bytes but uint16 [" + geometry.layers() + ", " + geometry.experts()
                            + "] takes " + expected);
        }
        return ExpertCounts.adopt(geometry.layers(), geometry.experts(), Uint16.read(bytes, geometry.cells()));
    }

    /** The bytes of the counts; a count above 65,535 is written as 65,535. */
    public static byte[] write(ExpertCounts counts) {
        ByteBuffer values = ByteBuffer.allocate(2 * counts.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < counts.size(); i++) {
            values.putShort((short) Math.min(counts.cell(i), SATURATED));
        }
        return values.array();
    }
}
