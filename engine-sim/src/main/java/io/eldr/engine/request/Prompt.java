package io.eldr.engine.request;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A prompt as token ids. Text becomes one token for every four bytes of UTF-8, so that equal beginnings have equal tokens;
 * the same prompt as text and as the ids made of it are equal in every respect.
 */
public final class Prompt {
    /** Ids are below this, as in Qwen3's vocabulary. */
    public static final int VOCABULARY = 151_643;

    /** How many tokens a KV block holds. */
    public static final int BLOCK_TOKENS = 16;

    private static final int TOKEN_BYTES = 4;
    /** What the choice of a recorded request looks at: 1,024 bytes of text. */
    private static final int FAMILY_TOKENS = 256;

    private final int[] ids;

    private Prompt(int[] ids) {
        this.ids = ids;
    }

    public static Prompt ofText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] ids = new int[Math.ceilDiv(bytes.length, TOKEN_BYTES)];
        for (int i = 0; i < ids.length; i++) {
            long hash = 0;
            for (int at = i * TOKEN_BYTES; at < Math.min((i + 1) * TOKEN_BYTES, bytes.length); at++) {
                hash = (hash << 8) | (bytes[at] & 0xFF);
            }
            ids[i] = (int) Long.remainderUnsigned(Hashing.mix(0, hash), VOCABULARY);
        }
        return new Prompt(ids);
    }

    public static Prompt ofIds(List<Integer> ids) {
        return new Prompt(ids.stream().mapToInt(Integer::intValue).toArray());
    }

    public int tokens() {
        return ids.length;
    }

    public int id(int token) {
        return ids[token];
    }

    /** A copy of the ids. */
    public int[] toArray() {
        return ids.clone();
    }

    /** What the whole prompt hashes to; the output follows from it. */
    public long hash() {
        return hash(0, 0, ids.length);
    }

    /** What the beginning hashes to: requests of one conversation have the same. */
    public long familyHash() {
        return hash(1, 0, Math.min(FAMILY_TOKENS, ids.length));
    }

    /** The hash of block {@code index} on top of the hash of the blocks before it. */
    public long blockHash(long before, int index) {
        return hash(before, index * BLOCK_TOKENS, (index + 1) * BLOCK_TOKENS);
    }

    private long hash(long seed, int from, int to) {
        long hash = seed;
        for (int i = from; i < to; i++) {
            hash = Hashing.mix(hash, ids[i]);
        }
        return Hashing.mix(hash, (long) to - from);
    }
}
