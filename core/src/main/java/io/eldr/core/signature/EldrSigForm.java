package io.eldr.core.signature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The wire form {@code eldr_sig} of the ELDR authors' vLLM fork: base64 of little-endian int16 [L,E], layer-major,
 * without a header. L and E come from the pool. The fork's counters wrap above 32,767, which shows as a negative value
 * where it shows at all.
 */
public final class EldrSigForm {
    private EldrSigForm() {}

    /**
     * @param field the name to give to what was refused, for example {@code signature.eldr_sig}
     * @throws InvalidInputException if the text is not base64 of exactly 2*L*E bytes, or a value is negative
     */
    public static ExpertCounts read(String field, String base64, Geometry geometry) {
        byte[] bytes = Base64Field.decode(
                field, base64, 2 * geometry.cells(), "int16 [" + geometry.layers() + ", " + geometry.experts() + "]");
        int[] cells = Uint16.read(ByteBuffer.wrap(bytes), geometry.cells());
        int all = 0;
        for (int cell : cells) {
            all |= cell;
        }
        if (all > Short.MAX_VALUE) {
            throw wrapped(field, cells, geometry);
        }
        return ExpertCounts.adopt(geometry.layers(), geometry.experts(), cells);
    }

    private static InvalidInputException wrapped(String field, int[] cells, Geometry geometry) {
        int at = 0;
        while (cells[at] <= Short.MAX_VALUE) {
            at++;
        }
        return new InvalidInputException(
                field,
                "is negative (" + (short) cells[at] + ") at layer " + at / geometry.experts() + ", expert "
                        + at % geometry.experts() + ": int16 counts wrap above " + Short.MAX_VALUE);
    }

    /** @throws InvalidInputException naming {@code eldr_sig} if a count is above 32,767, which the form cannot hold */
    public static String write(ExpertCounts counts) {
        ByteBuffer values = ByteBuffer.allocate(2 * counts.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < counts.size(); i++) {
            int count = counts.cell(i);
            if (count > Short.MAX_VALUE) {
                throw new InvalidInputException(
                        "eldr_sig",
                        "cannot hold the count " + count + " at layer " + i / counts.experts() + ", expert "
                                + i % counts.experts() + ": int16 ends at " + Short.MAX_VALUE);
            }
            values.putShort((short) count);
        }
        return Base64Field.encode(values.array());
    }
}
