package io.eldr.engine.request;

/**
 * The tokens that a request generates: the same ones on every worker, whatever else runs there.
 *
 * @param seed the prompt's hash; garbage comes from another one
 */
public record Output(long seed) {
    private static final String CONSONANTS = "bdfgklmnprstvz";
    private static final String VOWELS = "aeiou";

    /** What comes out where a decoder's KV is not this prompt's. */
    public Output garbage() {
        return new Output(Hashing.mix(seed, -1));
    }

    public int tokenId(int index) {
        return (int) Long.remainderUnsigned(Hashing.mix(seed, index), Prompt.VOCABULARY);
    }

    /** A space and a word; no character of it needs escaping in JSON. */
    public String text(int index) {
        long hash = Hashing.mix(seed ^ 0x7E57, index);
        StringBuilder text = new StringBuilder(7).append(' ');
        int syllables = 1 + (int) (hash & 1);
        for (int i = 0; i < syllables; i++) {
            hash >>>= 1;
            text.append(CONSONANTS.charAt((int) (hash % CONSONANTS.length())));
            hash /= CONSONANTS.length();
            text.append(VOWELS.charAt((int) (hash % VOWELS.length())));
            hash /= VOWELS.length();
        }
        return text.toString();
    }

    /** How long a chat answer is that nobody limits: 32 to 159 tokens. */
    public int naturalLength() {
        return 32 + (int) Long.remainderUnsigned(Hashing.mix(seed, -2), 128);
    }

    /** 32 hexadecimal digits that name the request. */
    public String name() {
        return "%016x%016x".formatted(Hashing.mix(seed, -3), Hashing.mix(seed, -4));
    }
}
