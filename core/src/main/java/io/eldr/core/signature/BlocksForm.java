package io.eldr.core.signature;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The wire form {@code blocks}: the counts of all KV blocks of a prompt, each base64 of uint8 [L,E], layer-major. The
 * prompt's counts are their sum, which stays exact when blocks are shared, evicted and used again.
 */
public final class BlocksForm {
    /** A cell ends there, so that a full one may stand for more: blocks hold fewer tokens. */
    private static final int SATURATED = 0xFF;

    private BlocksForm() {}

    /**
     * One block.
     *
     * @param hash tells the block from the others of its prompt
     */
    public record Block(String hash, String counts) {}

    /**
     * @param field the name to give to what was refused, for example {@code signature.blocks}
     * @throws InvalidInputException if there are none, one occurs twice, or the counts of one are not of the model's shape or
     *     reach 255, above which they cannot be told
     */
    public static ExpertCounts read(String field, List<Block> blocks, Geometry geometry) {
        if (blocks.isEmpty()) {
            throw new InvalidInputException(field, "must hold at least one block");
        }
        String shape = "uint8 [" + geometry.layers() + ", " + geometry.experts() + "]";
        int[] sum = new int[geometry.cells()];
        Set<String> seen = new HashSet<>();
        for (int b = 0; b < blocks.size(); b++) {
            if (!seen.add(blocks.get(b).hash())) {
                throw new InvalidInputException(field + "[" + b + "].hash", "is that of another block already");
            }
            String name = field + "[" + b + "].counts";
            byte[] counts = Base64Field.decode(name, blocks.get(b).counts(), geometry.cells(), shape);
            for (int i = 0; i < counts.length; i++) {
                int count = Byte.toUnsignedInt(counts[i]);
                if (count == SATURATED) {
                    throw new InvalidInputException(
                            name,
                            "is 255 at layer " + i / geometry.experts() + ", expert " + i % geometry.experts()
                                    + ", which may stand for more: blocks must hold fewer tokens");
                }
                sum[i] = Math.addExact(sum[i], count);
            }
        }
        return ExpertCounts.adopt(geometry.layers(), geometry.experts(), sum);
    }
}
