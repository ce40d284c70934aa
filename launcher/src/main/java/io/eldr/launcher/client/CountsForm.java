package io.eldr.launcher.client;

import io.eldr.core.signature.ExpertCounts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes expert counts as services take them. */
public final class CountsForm {

    private static final int MAX_U16 = 0xFFFF;

    private CountsForm() {}

    /** The project's own JSON form; u16 unless a count is larger. */
    public static ObjectNode json(ExpertCounts counts, int tokens) {
        boolean wide = false;
        for (int i = 0; i < counts.size(); i++) {
            wide |= counts.cell(i) > MAX_U16;
        }
        return JsonNodeFactory.instance
                .objectNode()
                .put("v", 1)
                .put("layers", counts.layers())
                .put("experts", counts.experts())
                .put("tokens", tokens)
                .put("dtype", wide ? "u32" : "u16")
                .put("counts", Base64.getEncoder().encodeToString(wide ? u32(counts) : u16(counts)));
    }

    /** The raw form of {@code POST /v1/route}: little-endian u16, layer-major; larger counts saturate. */
    public static byte[] u16(ExpertCounts counts) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * counts.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < counts.size(); i++) {
            buffer.putShort((short) Math.min(counts.cell(i), MAX_U16));
        }
        return buffer.array();
    }

    private static byte[] u32(ExpertCounts counts) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * counts.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < counts.size(); i++) {
            buffer.putInt(counts.cell(i));
        }
        return buffer.array();
    }
}
