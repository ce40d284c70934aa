package io.eldr.engine.decode;

/** Hears of the steps of a decoder. */
public interface DecoderListener {
    /**
     * @param batch how many tokens it made
     * @param activeExperts the distinct experts, summed over layers
     */
    void onStep(double millis, int batch, int activeExperts);

    void onPreemption();
}
