package io.eldr.engine.prefill;

import io.eldr.core.signature.ExpertCounts;
import io.eldr.core.signature.Geometry;
import io.eldr.engine.recording.RecordedRequest;
import io.eldr.engine.request.GenerationRequest;
import io.eldr.engine.request.Prompt;
import java.util.LinkedHashMap;

/**
 * The newest KV blocks of prompts, each with the expert counts of its tokens, as the authors' fork keeps them beside the
 * blocks. A prompt's signature is the sum over its blocks, whether they were here or are made now, so it does not depend on
 * hits and evictions. Prompts share a block where everything up to its end is equal, and so is the recorded request. Not for
 * several threads.
 */
final class PrefixCache {
    private final Geometry geometry;
    private final int capacityBlocks;
    /** Counts of a block, one byte a cell: a block has 16 tokens. By last use. */
    private final LinkedHashMap<Long, byte[]> blocks;

    /** @param capacityTokens 0 keeps nothing */
    PrefixCache(Geometry geometry, int capacityTokens) {
        this.geometry = geometry;
        this.capacityBlocks = capacityTokens / Prompt.BLOCK_TOKENS;
        this.blocks = new LinkedHashMap<>(16, 0.75f, true);
    }

    /**
     * How many tokens of the prompt are here: whole blocks from its beginning, and never all of it, since its last token
     * must be computed for the first one of the output.
     */
    int cachedTokens(GenerationRequest request) {
        Prompt prompt = request.prompt();
        long hash = seed(request);
        int cached = 0;
        for (int block = 0; (block + 1) * Prompt.BLOCK_TOKENS < prompt.tokens(); block++) {
            hash = prompt.blockHash(hash, block);
            if (!blocks.containsKey(hash)) {
                break;
            }
            cached += Prompt.BLOCK_TOKENS;
        }
        return cached;
    }

    /** The counts of the whole prompt; its blocks are here afterwards. */
    ExpertCounts count(GenerationRequest request) {
        Prompt prompt = request.prompt();
        int[] sum = new int[geometry.cells()];
        int whole = prompt.tokens() / Prompt.BLOCK_TOKENS;
        long hash = seed(request);
        for (int block = 0; block < whole; block++) {
            hash = prompt.blockHash(hash, block);
            byte[] row = blocks.get(hash);
            if (row == null) {
                row = row(request.recorded(), block);
                keep(hash, row);
            }
            for (int cell = 0; cell < sum.length; cell++) {
                sum[cell] += row[cell];
            }
        }
        request.recorded().countPrompt(whole * Prompt.BLOCK_TOKENS, prompt.tokens(), sum);
        return ExpertCounts.of(geometry.layers(), geometry.experts(), sum);
    }

    int blocks() {
        return blocks.size();
    }

    private static long seed(GenerationRequest request) {
        return request.recorded().id().hashCode();
    }

    private byte[] row(RecordedRequest recorded, int block) {
        int[] counts = new int[geometry.cells()];
        recorded.countPrompt(block * Prompt.BLOCK_TOKENS, (block + 1) * Prompt.BLOCK_TOKENS, counts);
        byte[] row = new byte[counts.length];
        for (int cell = 0; cell < row.length; cell++) {
            row[cell] = (byte) counts[cell];
        }
        return row;
    }

    private void keep(long hash, byte[] row) {
        if (capacityBlocks == 0) {
            return;
        }
        while (blocks.size() >= capacityBlocks) {
            blocks.pollFirstEntry();
        }
        blocks.put(hash, row);
    }
}
