package io.eldr.core.signature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The wire form {@code eldr} of this project, field by field as in its JSON object
 * {@code {"v":1,"layers":48,"experts":128,"tokens":3120,"dtype":"u16","counts":"<base64>"}}. Whoever parses the JSON
 * leaves a field empty that is absent or null; {@link #read} requires them all.
 *
 * @param v the form's version, 1
 * @param layers L, equal to the pool's
 * @param experts E, equal to the pool's
 * @param tokens how many tokens were counted; every layer sums to tokens x k
 * @param dtype {@code u16} or {@code u32}
 * @param counts base64 of the little-endian unsigned values [L,E], layer-major. A {@code u16} value of 65,535 means
 *     65,535 or more, so that the sum of its layer may fall short; {@code u32} is exact up to 2,147,483,647
 */
public record EldrForm(
        Optional<Integer> v,
        Optional<Integer> layers,
        Optional<Integer> experts,
        Optional<Long> tokens,
        Optional<String> dtype,
        Optional<String> counts) {
    private static final int VERSION = 1;
    private static final String U16 = "u16";
    private static final String U32 = "u32";

    /** The counts of {@code tokens} tokens, as {@code u16} unless a count is above 65,535. */
    public static EldrForm write(ExpertCounts counts, long tokens) {
        boolean wide = false;
        for (int i = 0; i < counts.size(); i++) {
            wide |= counts.cell(i) > RawForm.SATURATED;
        }
        return new EldrForm(
                Optional.of(VERSION),
                Optional.of(counts.layers()),
                Optional.of(counts.experts()),
                Optional.of(tokens),
                Optional.of(wide ? U32 : U16),
                Optional.of(Base64Field.encode(wide ? wide(counts) : RawForm.write(counts))));
    }

    /**
     * @param field what the object is called where it came from, for example {@code signature.eldr}
     * @throws InvalidInputException naming the member at fault, for example {@code signature.eldr.counts}
     */
    public ExpertCounts read(String field, Geometry geometry) {
        requireEqual(field + ".v", VERSION, required(field + ".v", v));
        requireEqual(field + ".layers", geometry.layers(), required(field + ".layers", layers));
        requireEqual(field + ".experts", geometry.experts(), required(field + ".experts", experts));
        long counted = required(field + ".tokens", tokens);
        if (counted < 0 || counted > Integer.MAX_VALUE) {
            throw new InvalidInputException(
                    field + ".tokens", "must be between 0 and " + Integer.MAX_VALUE + " but is " + counted);
        }
        String type = required(field + ".dtype", dtype);
        String base64 = required(field + ".counts", counts);
        return switch (type) {
            case U16 -> narrow(field + ".counts", base64, geometry, counted);
            case U32 ->
                wide(field + ".counts", base64, geometry).requireRowSums(field + ".counts", counted, geometry.topK());
            default -> throw new InvalidInputException(field + ".dtype", "must be u16 or u32 but is '" + type + "'");
        };
    }

    private static ExpertCounts narrow(String field, String base64, Geometry geometry, long tokens) {
        ExpertCounts read = RawForm.read(
                field, Base64Field.decode(field, base64, 2 * geometry.cells(), shape(U16, geometry)), geometry);
        for (int layer = 0; layer < read.layers(); layer++) {
            long sum = read.layerSum(layer);
            long whole = tokens * geometry.topK();
            if (sum > whole || (sum < whole && !isSaturated(read, layer))) {
                throw new InvalidInputException(
                        field,
                        "layer " + layer + " sums to " + sum + " instead of " + tokens + " tokens x " + geometry.topK()
                                + " = " + whole);
            }
        }
        return read;
    }

    private static boolean isSaturated(ExpertCounts counts, int layer) {
        for (int expert = 0; expert < counts.experts(); expert++) {
            if (counts.count(layer, expert) == RawForm.SATURATED) {
                return true;
            }
        }
        return false;
    }

    private static ExpertCounts wide(String field, String base64, Geometry geometry) {
        byte[] bytes = Base64Field.decode(field, base64, 4 * geometry.cells(), shape(U32, geometry));
        ByteBuffer values = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int[] cells = new int[geometry.cells()];
        for (int i = 0; i < cells.length; i++) {
            int value = values.getInt(4 * i);
            if (value < 0) {
                throw new InvalidInputException(
                        field,
                        "is " + Integer.toUnsignedString(value) + " at layer " + i / geometry.experts() + ", expert "
                                + i % geometry.experts() + ", more than " + Integer.MAX_VALUE);
            }
            cells[i] = value;
        }
        return ExpertCounts.adopt(geometry.layers(), geometry.experts(), cells);
    }

    private static byte[] wide(ExpertCounts counts) {
        ByteBuffer values = ByteBuffer.allocate(4 * counts.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < counts.size(); i++) {
            values.putInt(counts.cell(i));
        }
        return values.array();
    }

    private static String shape(String type, Geometry geometry) {
        return type + " [" + geometry.layers() + ", " + geometry.experts() + "]";
    }

    private static <T> T required(String field, Optional<T> value) {
        return value.orElseThrow(() -> new InvalidInputException(field, "is missing"));
    }

    private static void requireEqual(String field, int expected, int value) {
        if (value != expected) {
            throw new InvalidInputException(field, "must be " + expected + " but is " + value);
        }
    }
}
