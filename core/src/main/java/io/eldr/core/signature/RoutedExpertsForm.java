package io.eldr.core.signature;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The wire form {@code routed_experts}: a {@code .npy} file as vLLM sends it, told by its magic, or else little-endian
 * int32 [tokens, L, k] without a header as SGLang sends it; base64 in both cases.
 */
public final class RoutedExpertsForm {
    private RoutedExpertsForm() {}

    /**
     * @param field the name to give to what was refused, for example {@code signature.routed_experts}
     * @throws InvalidInputException if the text is neither, or its rows do not suit the model
     */
    public static RoutedRows read(String field, String base64, Geometry geometry) {
        byte[] bytes = Base64Field.decode(field, base64);
        return NpyForm.isNpy(bytes) ? NpyForm.read(field, bytes, geometry) : sglang(field, bytes, geometry);
    }

    private static RoutedRows sglang(String field, byte[] bytes, Geometry geometry) {
        int perToken = Integer.BYTES * geometry.layers() * geometry.topK();
        if (bytes.length % perToken != 0) {
            throw new InvalidInputException(
                    field,
                    "is no .npy file, and " + bytes.length + " bytes are no rows of int32 [" + geometry.layers() + ", "
                            + geometry.topK() + "]");
        }
        ByteBuffer values = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return RoutedRows.of(
                field, geometry, bytes.length / perToken, geometry.layers(), i -> values.getInt(Integer.BYTES * i));
    }
}
