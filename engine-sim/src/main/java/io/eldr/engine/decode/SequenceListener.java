package io.eldr.engine.decode;

/** Hears what becomes of a sequence; one call at a time, on the decoder's thread. */
public interface SequenceListener {
    /** @param index 0 for the first token that the request generates */
    void onToken(int index);

    /** Its last token has been heard of. */
    void onEnd(Sequence sequence);
}
