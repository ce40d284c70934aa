package io.eldr.core.signature;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The wire form {@code routed_experts} of vLLM: base64 of a NumPy {@code .npy} file of integers of any width and byte
 * order, shape (tokens, layers, k) in C order, where the layers are all of the model's, dense ones too.
 */
public final class NpyForm {
    private static final byte[] MAGIC = "\u0093NUMPY".getBytes(ISO_8859_1);
    private static final int VERSION_AT = MAGIC.length;
    private static final int LENGTH_AT = VERSION_AT + 2;
    private static final int MAX_HEADER = 65_536;

    private static final Pattern TYPE = Pattern.compile("'descr'\\s*:\\s*'([<>|=])([iu])([1248])'");
    private static final Pattern ORDER = Pattern.compile("'fortran_order'\\s*:\\s*(True|False)");
    private static final Pattern SHAPE =
            Pattern.compile("'shape'\\s*:\\s*\\(\\s*(\\d{1,9})\\s*,\\s*(\\d{1,9})\\s*,\\s*(\\d{1,9})\\s*,?\\s*\\)");

    private NpyForm() {}

    /** Whether bytes begin as a {@code .npy} file does. */
    static boolean isNpy(byte[] bytes) {
        return bytes.length >= MAGIC.length && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /**
     * @param field the name to give to what was refused, for example {@code signature.routed_experts}
     * @throws InvalidInputException if the text is not base64 of such a file, or its rows do not suit the model
     */
    public static RoutedRows read(String field, String base64, Geometry geometry) {
        return read(field, Base64Field.decode(field, base64), geometry);
    }

    static RoutedRows read(String field, byte[] file, Geometry geometry) {
        if (!isNpy(file) || file.length < LENGTH_AT + Short.BYTES) {
            throw new InvalidInputException(field, "is not a .npy file");
        }
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        boolean longHeader = file[VERSION_AT] > 1;
        int begin = LENGTH_AT + (longHeader ? Integer.BYTES : Short.BYTES);
        if (file.length < begin) {
            throw new InvalidInputException(field, "ends within its header");
        }
        int length = longHeader ? bytes.getInt(LENGTH_AT) : Short.toUnsignedInt(bytes.getShort(LENGTH_AT));
        if (length < 0 || length > MAX_HEADER || begin + length > file.length) {
            throw new InvalidInputException(field, "has a header of " + length + " bytes, more than there are");
        }
        String header = new String(file, begin, length, ISO_8859_1);
        if (match(field, ORDER, header, "fortran_order").group(1).equals("True")) {
            throw new InvalidInputException(field, "must be in C order but is in Fortran order");
        }
        Matcher type = match(field, TYPE, header, "a descr of integers of 1, 2, 4 or 8 bytes");
        Matcher shape = match(field, SHAPE, header, "a shape (tokens, layers, k)");
        return rows(field, bytes, begin + length, type, shape, geometry);
    }

    private static RoutedRows rows(
            String field, ByteBuffer bytes, int begin, Matcher type, Matcher shape, Geometry geometry) {
        int width = Integer.parseInt(type.group(3));
        int tokens = Integer.parseInt(shape.group(1));
        int layers = Integer.parseInt(shape.group(2));
        int topK = Integer.parseInt(shape.group(3));
        if (topK != geometry.topK()) {
            throw new InvalidInputException(
                    field, "has " + topK + " experts a token but the model selects " + geometry.topK());
        }
        int present = bytes.capacity() - begin;
        if (layers > present || (long) tokens * layers > present || (long) tokens * layers * topK * width != present) {
            throw new InvalidInputException(
                    field,
                    "holds " + present + " bytes but shape (" + tokens + ", " + layers + ", " + topK + ") of " + width
                            + "-byte integers takes another number");
        }
        boolean signed = type.group(2).equals("i");
        bytes.order(type.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        return RoutedRows.of(
                field,
                geometry,
                tokens,
                layers,
                switch (width) {
                    case 1 -> i -> signed ? bytes.get(begin + i) : Byte.toUnsignedInt(bytes.get(begin + i));
                    case 2 ->
                        i -> signed
                                ? bytes.getShort(begin + 2 * i)
                                : Short.toUnsignedInt(bytes.getShort(begin + 2 * i));
                    case 4 ->
                        i -> signed ? bytes.getInt(begin + 4 * i) : Integer.toUnsignedLong(bytes.getInt(begin + 4 * i));
                    default -> i -> bytes.getLong(begin + 8 * i);
                });
    }

    private static Matcher match(String field, Pattern pattern, String header, String what) {
        Matcher matcher = pattern.matcher(header);
        if (!matcher.find()) {
            throw new InvalidInputException(field, "has no " + what + " in its header");
        }
        return matcher;
    }
}
